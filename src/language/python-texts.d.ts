/** Python source files imported as text. */
declare module "*.py?raw" {
  const text: string;
  export default text;
}
