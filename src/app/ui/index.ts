export { App } from "./App.tsx";
export { afterPaint } from "./after-paint.ts";
export { FramedPage } from "./FramedPage.tsx";
export { editorLoaded } from "./program/editor-code.ts";
export { AppProvider } from "./store-context.tsx";
