export { App } from "./App.tsx";
export { FramedPage } from "./FramedPage.tsx";
export { AppProvider } from "./store-context.tsx";
