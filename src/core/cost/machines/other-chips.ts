import { type Chip, switched, torus } from "./chip.ts";

const gib = 2 ** 30;

const port400 = "a port of 400 Gb/s for each device, as in the vendor's own systems";

/** GPUs of AMD: they scale the curves of the H100. */
const instinctChips: readonly Chip[] = [
  switched({
    name: "MI300X",
    tera: { bf16: 1307, f16: 1307, tf32: 653.7, f32: 163.4, f8: 2614.9, int8: 2614.9 },
    memory: 192e9,
    bandwidth: 5.3e12,
    multiprocessors: 304,
    within: 448e9,
    between: 50e9,
    node: 8,
    basis: "scaled",
    sources: {
      peaks: "AMD Instinct MI300X data sheet, without sparsity",
      memory: "AMD Instinct MI300X data sheet",
      within:
        "Infinity Fabric, 64 GB/s one way to each of seven: AMD Instinct MI300X platform data sheet",
      between: port400,
    },
  }),
  switched({
    name: "MI325X",
    tera: { bf16: 1307.4, f16: 1307.4, tf32: 653.7, f32: 163.4, f8: 2614.9, int8: 2614.9 },
    memory: 256e9,
    bandwidth: 6e12,
    multiprocessors: 304,
    within: 448e9,
    between: 50e9,
    node: 8,
    basis: "scaled",
    sources: {
      peaks: "AMD Instinct MI325X data sheet, without sparsity",
      memory: "AMD Instinct MI325X data sheet",
      within:
        "Infinity Fabric, 64 GB/s one way to each of seven: AMD Instinct MI325X platform data sheet",
      between: port400,
    },
  }),
];

/** Devices of Huawei and Google, and a processor: figures of data sheets alone, none measured. */
const sheetChips: readonly Chip[] = [
  switched({
    name: "Ascend 910B",
    also: ["910B"],
    tera: { bf16: 313, f16: 313 },
    memory: 64e9,
    bandwidth: 1.6e12,
    within: 196e9,
    between: 25e9,
    node: 8,
    basis: "sheet",
    sources: {
      peaks: "Huawei Atlas 800T A2 data sheet (910B3), dense f16; no sheet prints f32",
      memory: "Huawei Atlas 800T A2 data sheet: 64 GB",
      within: "HCCS, 392 GB/s both ways to seven others: Huawei Atlas 800T A2 data sheet",
      between: "RoCE, 200 Gb/s for each device: Huawei Atlas 800T A2 data sheet",
    },
  }),
  switched({
    name: "Ascend 910C",
    also: ["910C"],
    tera: { bf16: 752, f16: 752, int8: 1504 },
    memory: 128e9,
    bandwidth: 3.2e12,
    within: 392e9,
    between: 50e9,
    node: 384,
    basis: "sheet",
    sources: {
      peaks: "arXiv 2506.12708 (CloudMatrix384): a package of two dies, dense",
      memory: "arXiv 2506.12708: 128 GB and 3.2 TB/s for a package",
      within: "Unified Bus, 392 GB/s one way for a package among 384: arXiv 2506.12708",
      between: "RoCE, 400 Gb/s for a package: arXiv 2506.12708",
    },
  }),
  torus({
    name: "TPU v4",
    tera: { bf16: 275, int8: 275 },
    memory: 32e9,
    bandwidth: 1.2e12,
    within: 45e9,
    between: 6.25e9,
    node: 4,
    basis: "sheet",
    sources: {
      peaks: "Google Cloud TPU v4 page",
      memory: "Google Cloud TPU v4 page",
      within: "one link of the torus one way: How to Scale Your Model",
      between: "data-centre network of a chip: How to Scale Your Model",
    },
  }),
  torus({
    name: "TPU v5e",
    tera: { bf16: 197, int8: 393 },
    memory: 16e9,
    bandwidth: 0.819e12,
    within: 45e9,
    between: 6.25e9,
    node: 16,
    basis: "sheet",
    sources: {
      peaks: "Google Cloud TPU v5e page",
      memory: "Google Cloud TPU v5e page",
      within: "one link of the torus one way: How to Scale Your Model",
      between: "data-centre network of a chip: How to Scale Your Model",
    },
  }),
  torus({
    name: "TPU v5p",
    tera: { bf16: 459, f8: 459, int8: 918 },
    memory: 95 * gib,
    bandwidth: 2.765e12,
    within: 90e9,
    between: 6.25e9,
    node: 4,
    basis: "sheet",
    sources: {
      peaks: "Google Cloud TPU v5p page",
      memory: "Google Cloud TPU v5p page",
      within: "one link of the torus one way: How to Scale Your Model",
      between: "50 Gb/s a chip: Google Cloud TPU v5p page",
    },
  }),
  torus({
    name: "TPU v6e",
    tera: { bf16: 918, f8: 918, int8: 1836 },
    memory: 32e9,
    bandwidth: 1.638e12,
    within: 90e9,
    between: 6.25e9,
    node: 16,
    basis: "sheet",
    sources: {
      peaks: "Google Cloud TPU v6e page",
      memory: "Google Cloud TPU v6e page",
      within: "one link of the torus one way: How to Scale Your Model",
      between: "data-centre network of a chip: How to Scale Your Model",
    },
  }),
  torus({
    name: "TPU v7",
    also: ["TPU7x", "TPU v7x"],
    tera: { bf16: 2307, f8: 4614 },
    memory: 192 * gib,
    bandwidth: 7.38e12,
    within: 100e9,
    between: 12.5e9,
    node: 4,
    basis: "sheet",
    sources: {
      peaks: "Google Cloud TPU7x page",
      memory: "Google Cloud TPU7x page",
      within: "1,200 GB/s both ways over six links of a chip: Google Cloud TPU7x page",
      between: "100 Gb/s a chip: Google Cloud TPU7x page",
    },
  }),
  switched({
    name: "Xeon 8480+",
    also: ["CPU", "Xeon"],
    tera: { bf16: 229.4, f32: 7.17, int8: 458.8 },
    memory: 512e9,
    bandwidth: 0.3072e12,
    within: 25e9,
    between: 25e9,
    node: 1,
    basis: "sheet",
    sources: {
      peaks:
        "Intel Xeon Platinum 8480+ data sheet: 56 cores at their base of 2.0 GHz, AMX and AVX-512",
      memory:
        "eight channels of DDR5-4800: Intel Xeon Platinum 8480+ data sheet; 512 GB are assumed",
      within: "each is a node of its own",
      between: "assumed: 200 Gb/s of network for each socket",
    },
  }),
];

/** Devices that NVIDIA does not make. */
export const otherChips: readonly Chip[] = [...instinctChips, ...sheetChips];
