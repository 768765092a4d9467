export {
  type CodeFile,
  codeTargets,
  codeWarnings,
  type WrittenCode,
  writeCode,
} from "./code.ts";
