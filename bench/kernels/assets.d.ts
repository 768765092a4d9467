/** URL of a file that is served unchanged. */
declare module "*.wasm?url" {
  const address: string;
  export default address;
}
