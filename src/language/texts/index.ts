export { editInPlan, joinTexts, splitTexts, type TwoTexts } from "./two-texts.ts";
