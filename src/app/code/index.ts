export { type CodeFile, type CodeTarget, codeTargets, writeCode } from "./code.ts";
