import "@tensorflow/tfjs-backend-webgpu";
import * as tf from "@tensorflow/tfjs-core";
import * as ort from "onnxruntime-web/webgpu";
import { onnxMatmul } from "../kernels/onnx-matmul.ts";

/** A peer library's square matmul, with its operands on the device. */
export interface Peer {
  /** Runs it `times` times, until the device has finished the last run. */
  run(times: number): Promise<void>;
  release(): void;
}

/** TensorFlow.js: reading one number of the last result waits for all runs. */
export async function tfjsPeer(size: number): Promise<Peer> {
  await tf.setBackend("webgpu");
  await tf.ready();
  if (tf.getBackend() !== "webgpu") throw new Error("no WebGPU for TensorFlow.js");
  const [x, w] = [1, 2].map((seed) => tf.tensor2d(someNumbers(size, seed), [size, size]));
  if (x === undefined || w === undefined) throw new Error("a matmul has two operands");
  return {
    run: async (times) => {
      for (let at = 1; at < times; at += 1) tf.dispose(tf.matMul(x, w));
      const last = tf.matMul(x, w);
      const cell = tf.slice(last, [0, 0], [1, 1]);
      await cell.data();
      tf.dispose([last, cell]);
    },
    release: () => tf.dispose([x, w]),
  };
}

/** ONNX Runtime, with its result on the device too. */
export async function ortPeer(size: number): Promise<Peer> {
  ort.env.logLevel = "error";
  const session = await ort.InferenceSession.create(onnxMatmul(size), {
    executionProviders: ["webgpu"],
    preferredOutputLocation: "gpu-buffer",
  });
  const device = await ort.env.webgpu.device;
  const buffers = [1, 2].map((seed) => {
    const values = someNumbers(size, seed);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const buffer = device.createBuffer({ size: values.byteLength, usage });
    device.queue.writeBuffer(buffer, 0, values);
    return buffer;
  });
  const [a, b] = buffers.map((buffer) =>
    ort.Tensor.fromGpuBuffer(buffer, { dataType: "float32", dims: [size, size] }),
  );
  if (a === undefined || b === undefined) throw new Error("a matmul has two operands");
  return {
    run: async (times) => {
      for (let at = 0; at < times; at += 1) (await session.run({ a, b })).c?.dispose();
      await device.queue.onSubmittedWorkDone();
    },
    release: () => {
      for (const buffer of buffers) buffer.destroy();
    },
  };
}

function someNumbers(size: number, seed: number): Float32Array<ArrayBuffer> {
  return Float32Array.from(
    { length: size * size },
    (_, at) => ((at * 7919 * seed) % 251) / 125 - 1,
  );
}
