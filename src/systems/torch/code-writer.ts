import { type CodeWriter, torchrun } from "#systems/arrays";
import { writeTorch } from "./write-torch.ts";

/** Plans as code of PyTorch. */
export const torchCode: CodeWriter = {
  target: "torch",
  name: "PyTorch",
  what: "the program of one rank, a line per step",
  compares: "numbers",
  write: ({ program }) => writeTorch(program),
  launch: torchrun,
};
