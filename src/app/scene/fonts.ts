/** The font stack for text in the monospaced face. */
export const monoFont =
  "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** The font stack for text in the face of the interface. */
export const uiFont = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
