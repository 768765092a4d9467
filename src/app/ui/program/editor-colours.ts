/** The editor's colours, read from the tokens, in six digits as the editor requires. */
export function editorColours(style: CSSStyleDeclaration): Record<string, string> {
  const colour = (token: string) => sixDigits(style.getPropertyValue(token));
  return {
    "editor.background": colour("--surface"),
    "editor.foreground": colour("--ink"),
    "editorCursor.foreground": colour("--ink"),
    "editorLineNumber.foreground": colour("--ink-3"),
    "editorLineNumber.activeForeground": colour("--ink"),
    "editor.lineHighlightBackground": colour("--sunken"),
    "editor.lineHighlightBorder": `${colour("--surface")}00`,
    "editor.selectionBackground": colour("--line-mid"),
    "editor.inactiveSelectionBackground": colour("--line"),
    "editorBracketMatch.background": colour("--sunken"),
    "editorBracketMatch.border": colour("--line-strong"),
    "editorError.foreground": colour("--danger"),
    "editorWarning.foreground": colour("--warn-line"),
    "editorInfo.foreground": colour("--line-strong"),
    "editorHoverWidget.background": colour("--surface"),
    "editorHoverWidget.border": colour("--line-mid"),
    "editorHoverWidget.highlightForeground": colour("--ink"),
    "editor.hoverHighlightBackground": colour("--sunken"),
    "editorSuggestWidget.background": colour("--surface"),
    "editorSuggestWidget.border": colour("--line-mid"),
    "editorSuggestWidget.foreground": colour("--ink"),
    "editorSuggestWidget.highlightForeground": colour("--ink"),
    "editorSuggestWidget.focusHighlightForeground": colour("--ink"),
    "editorSuggestWidget.selectedBackground": colour("--sunken"),
    "editorSuggestWidget.selectedForeground": colour("--ink"),
    "list.hoverBackground": colour("--hover"),
    "textLink.foreground": colour("--ink"),
    "textLink.activeForeground": colour("--ink"),
    "editorWidget.background": colour("--surface"),
    "editorWidget.border": colour("--line-mid"),
    "editorWidget.foreground": colour("--ink"),
    "editor.findMatchBackground": colour("--line-mid"),
    "editor.findMatchHighlightBackground": colour("--line"),
    "editorIndentGuide.background1": colour("--line"),
    "editorIndentGuide.activeBackground1": colour("--line-mid"),
    ...bracketColours(colour("--ink")),
    focusBorder: colour("--focus"),
    "input.background": colour("--bg"),
    "input.border": colour("--line-ctl"),
    "input.foreground": colour("--ink"),
    "scrollbarSlider.background": `${colour("--line-strong")}66`,
    "scrollbarSlider.hoverBackground": `${colour("--line-strong")}99`,
    "scrollbarSlider.activeBackground": `${colour("--line-strong")}bb`,
  };
}

/** The looks of JSON tokens: names as plain text, other strings paler, constants bold. */
export function graphRules(
  style: CSSStyleDeclaration,
): { token: string; foreground?: string; fontStyle?: string }[] {
  const pale = sixDigits(style.getPropertyValue("--ink-2")).slice(1);
  return [
    { token: "text", foreground: pale },
    { token: "word", fontStyle: "bold" },
  ];
}

/** Brackets are plain: hue is for mesh axes. */
function bracketColours(ink: string): Record<string, string> {
  const levels = [1, 2, 3, 4, 5, 6].map((level) => `foreground${level}`);
  // A bracket in a string or comment has no partner, which is no fault.
  const all = [...levels, "unexpectedBracket.foreground"];
  return Object.fromEntries(all.map((name) => [`editorBracketHighlight.${name}`, ink]));
}

/** `#fff`, as a style sheet may shorten a colour, as `#ffffff`. */
function sixDigits(colour: string): string {
  const text = colour.trim();
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
  if (short === null) return text;
  const [, red = "", green = "", blue = ""] = short;
  return `#${red}${red}${green}${green}${blue}${blue}`;
}
