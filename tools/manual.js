// Wide tables scroll in a box of the generator's: the keyboard has to reach it.
addEventListener("load", () => {
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap")) box.tabIndex = 0;
});
