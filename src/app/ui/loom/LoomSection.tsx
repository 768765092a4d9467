import { lazy, Suspense } from "react";
import { projectedOperator, shown } from "#app/state";
import { useApp } from "../store-context.tsx";

const LoomOperation = lazy(async () => ({
  default: (await import("./LoomOperation.tsx")).LoomOperation,
}));

/** The operation of a LoomGraph as its text has it, once there is one. */
export function LoomSection() {
  const operator = useApp(projectedOperator);
  const loom = useApp((state) => shown(state)?.loom);
  const operation = loom?.operations.find((each) => each.operator === operator?.id);
  if (operator === undefined || operation === undefined) return null;
  return (
    <Suspense fallback={null}>
      <LoomOperation name={operator.name} operation={operation} />
    </Suspense>
  );
}
