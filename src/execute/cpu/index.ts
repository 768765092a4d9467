export { cpuEngine, runCpu } from "./run-cpu.ts";
export { wasmContraction } from "./wasm-contraction.ts";
