export { greatestCommonDivisor, leastCommonMultiple } from "./integers.ts";
