export {
  type CodeFile,
  type CodeTarget,
  codeTargets,
  codeWarnings,
  type WrittenCode,
  writeCode,
} from "./code.ts";
