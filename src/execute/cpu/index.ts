export { runCollective } from "./run-collective.ts";
export { cpuEngine, runCpu } from "./run-cpu.ts";
export { wasmContraction } from "./wasm-contraction.ts";
