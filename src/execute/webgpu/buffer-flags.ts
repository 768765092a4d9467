/** Usages of buffers, as the WebGPU specification numbers them. */
export const usages = {
  mapRead: 0x01,
  copySource: 0x04,
  copyTarget: 0x08,
  uniform: 0x40,
  storage: 0x80,
  queryResolve: 0x200,
};

/** The mode of a mapping that is read, as the WebGPU specification numbers it. */
export const mapRead = 0x01;

/** Bytes at whose multiples bindings may begin, of uniforms and of storage (WebGPU's default limit). */
export const slotBytes = 256;
