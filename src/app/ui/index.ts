export { App } from "./App.tsx";
export { FramedPage } from "./FramedPage.tsx";
export { editorLoaded } from "./program/editor-code.ts";
export { AppProvider } from "./store-context.tsx";
