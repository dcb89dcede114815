/* Before anything is drawn: the colours the reader chose, and the words of the reader's language on their way.
   An app that is installed has its name in that language too. Styles of the page that were lost come again;
   where the app itself does not come, the page says so. */
(function () {
  addEventListener("error", function (event) {
    var file = event.target;
    if (file.rel === "stylesheet" && !file.onerror) bring(file); // loader.ts brings those of its parts
    else if (file.tagName === "SCRIPT") document.getElementById("lost").hidden = false;
  }, true);
  var WAITS = [300, 1000, 3000]; // milliseconds before each retry
  function bring(lost) {
    var tries = Number(lost.dataset.tries) || 0;
    if (tries === WAITS.length) document.getElementById("lost").hidden = false;
    else setTimeout(function () {
      var style = lost.cloneNode();
      style.dataset.tries = tries + 1;
      lost.replaceWith(style);
    }, WAITS[tries]);
  }
  var settings = {};
  try {
    settings = JSON.parse(localStorage.getItem("mulligan.settings")) || {};
  } catch (trouble) {
    // no memory: as on the first day
  }
  var page = document.documentElement;
  if (settings.theme) page.dataset.theme = settings.theme;
  if (settings.colour_blind) page.dataset.palette = "colour-blind";
  var wanted = (settings.language ? [settings.language] : []).concat(navigator.languages || [navigator.language], "en");
  for (var at = 0; at < wanted.length; at++) {
    var language = String(wanted[at]).toLowerCase().split("-")[0];
    var words = document.querySelector('meta[name="words-' + language.replace(/\W/g, "") + '"]');
    if (!words) continue;
    page.lang = language;
    var link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = words.content;
    document.head.append(link);
    var manifest = document.querySelector("link[rel=manifest]");
    manifest.href = manifest.href.replace(/manifest\.webmanifest$/, "manifest." + language + ".webmanifest");
    break;
  }
})();
