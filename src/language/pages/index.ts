export { type CodeBlock, type Page, readPage } from "./read-page.ts";
