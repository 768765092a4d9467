export type { OperatorPlan, Placement, Plan, Strategy } from "./plan.ts";
