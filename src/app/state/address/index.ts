// The opening that an address describes, and the code that is loaded for it.

export { type AddressBar, followAddress } from "./address.ts";
export { loadExamples } from "./known-examples.ts";
export { lateLinks } from "./links.ts";
export { isLink, namesExample, namesLesson } from "./opening.ts";
