// The page of the catalogue in the browser: it has the theme of the app, and finds what is asked for.

/** The theme that the reader chose in the app, else the system's. */
function showTheme(): void {
  const chosen = localStorage.getItem("shardboard.theme");
  const isSystemDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const isDark = chosen === "dark" || (chosen !== "light" && isSystemDark);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
}

/**
 * Shows the requested entry. A code without an entry of its own, such as that of a program's own
 * exception, has one for all.
 */
function showAsked(): void {
  const code = decodeURIComponent(location.hash.slice(1));
  if (code === "" || document.getElementById(code) !== null) return;
  const shared = `${code.split("/")[0]}/*`;
  if (document.getElementById(shared) !== null) location.replace(`#${shared}`);
}

showAsked();
showTheme();
addEventListener("storage", showTheme);
addEventListener("hashchange", showAsked);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
