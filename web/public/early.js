/* Before anything is drawn: the chosen colours, and the files and words of the page on their way. An installed app has
   its name in the reader's language. Lost styles come again; where the app does not come, the page says so. */
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
  var manifest = document.querySelector("link[rel=manifest]");
  var base = new URL(".", manifest.href).pathname;
  var data = document.getElementById("files");
  var files = data ? JSON.parse(data.textContent) : { words: {}, pages: {} };
  var path = location.pathname.slice(base.length).split("/");
  var first = path[0].toLowerCase();
  var open = (path[1] && files.pages[first + "/"]) || files.pages[first] || { files: [], words: ["page"] };
  function bringSoon(file) {
    var link = document.createElement("link");
    link.as = { js: "script", css: "style" }[file.split(".").pop()] || "fetch";
    link.rel = link.as === "script" ? "modulepreload" : "preload";
    link.crossOrigin = "";
    link.href = base + file;
    document.head.append(link);
  }
  open.files.forEach(bringSoon);
  if (open.asks) bringSoon(open.asks + path[1]);
  var wanted = (settings.language ? [settings.language] : []).concat(navigator.languages || [navigator.language], "en");
  for (var at = 0; at < wanted.length; at++) {
    var language = String(wanted[at]).toLowerCase().split("-")[0];
    var words = files.words[language];
    if (!words) continue;
    page.lang = language;
    open.words.forEach(function (part) {
      bringSoon(words[part]);
    });
    manifest.href = manifest.href.replace(/manifest\.webmanifest$/, "manifest." + language + ".webmanifest");
    break;
  }
})();
