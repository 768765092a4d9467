import { useEffect, useRef } from "react";

/** Ring around the pointer, visible from the last row. */
export function Laser() {
  const ring = useRef<HTMLElement>(null);
  useEffect(() => {
    const stage = ring.current?.parentElement;
    if (!stage) return;
    const move = ({ clientX, clientY, pointerType }: PointerEvent) => {
      if (pointerType === "touch") return;
      const { current } = ring;
      if (current === null) return;
      current.style.translate = `${clientX}px ${clientY}px`;
      current.classList.add("on");
    };
    const leave = () => ring.current?.classList.remove("on");
    stage.addEventListener("pointermove", move, { passive: true });
    stage.addEventListener("pointerleave", leave);
    return () => {
      stage.removeEventListener("pointermove", move);
      stage.removeEventListener("pointerleave", leave);
    };
  }, []);
  return <i className="present-laser" ref={ring} aria-hidden="true" />;
}
