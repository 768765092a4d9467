/** The address of a file that is served as it is. */
declare module "*.wasm?url" {
  const address: string;
  export default address;
}
