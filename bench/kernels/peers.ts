import "@tensorflow/tfjs-backend-webgpu";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import plainWasm from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url";
import simdWasm from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url";
import threadedWasm from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-threaded-simd.wasm?url";
import * as tf from "@tensorflow/tfjs-core";
import * as ort from "onnxruntime-web/webgpu";
import { onnxMatmul } from "./onnx-matmul.ts";

/** A peer library's matmul. */
export interface PeerMatmul {
  /** Runs it `times` times, until the last result is read back. */
  run(times: number): Promise<Float32Array>;
  release(): void;
}

type Matrices = readonly [size: number, a: Float32Array, b: Float32Array];

/** TensorFlow.js on one of its backends. */
export async function tfjsMatmul(
  backend: "webgpu" | "wasm",
  [size, a, b]: Matrices,
): Promise<PeerMatmul> {
  setWasmPaths({
    "tfjs-backend-wasm.wasm": plainWasm,
    "tfjs-backend-wasm-simd.wasm": simdWasm,
    "tfjs-backend-wasm-threaded-simd.wasm": threadedWasm,
  });
  await tf.setBackend(backend);
  await tf.ready();
  if (tf.getBackend() !== backend) throw new Error(`no ${backend} for TensorFlow.js`);
  const [x, w] = [tf.tensor2d(a, [size, size]), tf.tensor2d(b, [size, size])];
  const run = async (times: number) => {
    await tf.setBackend(backend);
    for (let at = 1; at < times; at += 1) tf.dispose(tf.matMul(x, w));
    const last = tf.matMul(x, w);
    const values = await last.data();
    last.dispose();
    return Float32Array.from(values);
  };
  return { run, release: () => tf.dispose([x, w]) };
}

/** ONNX Runtime's WebGPU backend, with operands and result on the device. */
export async function ortMatmul([size, a, b]: Matrices): Promise<PeerMatmul> {
  ort.env.logLevel = "error";
  const session = await ort.InferenceSession.create(onnxMatmul(size), {
    executionProviders: ["webgpu"],
    preferredOutputLocation: "gpu-buffer",
  });
  const device = await ort.env.webgpu.device;
  const dims = [size, size];
  const given = [a, b].map((values) => {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const buffer = device.createBuffer({ size: values.byteLength, usage });
    device.queue.writeBuffer(buffer, 0, Float32Array.from(values));
    return { buffer, tensor: ort.Tensor.fromGpuBuffer(buffer, { dataType: "float32", dims }) };
  });
  const [x, w] = given.map(({ tensor }) => tensor);
  if (x === undefined || w === undefined) throw new Error("a matmul has two operands");
  const run = async (times: number) => {
    for (let at = 1; at < times; at += 1) (await session.run({ a: x, b: w })).c?.dispose();
    const { c } = await session.run({ a: x, b: w });
    const values = (await c?.getData(true)) as Float32Array;
    return Float32Array.from(values);
  };
  const release = () => {
    for (const { buffer } of given) buffer.destroy();
  };
  return { run, release };
}
