export {
  type CodeFile,
  type CodeTarget,
  codeTargets,
  type WrittenCode,
  writeCode,
} from "./code.ts";
