export { writeTorch } from "./write-torch.ts";
