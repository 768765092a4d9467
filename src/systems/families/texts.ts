import llama from "./texts/llama.py?raw";

/** The texts of families by the names of their files. */
export const familyTexts: ReadonlyMap<string, string> = new Map([["llama.py", llama]]);
