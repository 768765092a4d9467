import type { Page } from "@playwright/test";

/** Drops a file on the page, as a pointer would. */
export async function dropFile(
  page: Page,
  name: string,
  type: string,
  bytes: Buffer,
): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([base64, fileName, fileType]) => {
      const content = Uint8Array.from(atob(base64 ?? ""), (each) => each.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([content], fileName ?? "", { type: fileType ?? "" }));
      return data;
    },
    [bytes.toString("base64"), name, type],
  );
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}
