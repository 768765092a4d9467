/** Usages of buffers, as the WebGPU specification numbers them. */
export const usages = {
  mapRead: 0x01,
  copySource: 0x04,
  copyTarget: 0x08,
  uniform: 0x40,
  storage: 0x80,
  queryResolve: 0x200,
};

/** Map mode for reading, as the WebGPU specification numbers it. */
export const mapRead = 0x01;

/**
 * Alignment in bytes at which bindings of uniform and storage buffers may begin (WebGPU's default
 * limit).
 */
export const slotBytes = 256;
