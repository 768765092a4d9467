import { lazy, Suspense } from "react";
import { useApp } from "../store-context.tsx";
import { useGalleryKey } from "./use-gallery-key.ts";

const GalleryPage = lazy(async () => ({
  default: (await import("./GalleryPage.tsx")).GalleryPage,
}));

/** Full-page overlay with all examples. */
export function Gallery() {
  const isOpen = useApp((state) => state.isGalleryOpen);
  useGalleryKey();
  return <Suspense fallback={null}>{isOpen && <GalleryPage />}</Suspense>;
}
