/** Python that stands as a file of its own, as a text. */
declare module "*.py?raw" {
  const text: string;
  export default text;
}
