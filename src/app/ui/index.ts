export { App } from "./App.tsx";
export { AppProvider } from "./store-context.tsx";
