/**
 * Lets the page open without a network once it has been loaded: every file of one build in one
 * cache, named after what they contain. The build writes the names in; nothing else is ever fetched
 * or kept, and no address carries a plan, since fragments are not sent.
 */
const version = "__VERSION__";
const files = "__FILES__";

const cacheName = `shardboard-${version}`;

self.addEventListener("install", (event) => {
  event.waitUntil(keepAll().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOlder().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const isOwn = new URL(request.url).origin === self.location.origin;
  if (request.method !== "GET" || !isOwn) return;
  event.respondWith(request.mode === "navigate" ? pageOf(request) : fileOf(request));
});

async function keepAll() {
  const cache = await caches.open(cacheName);
  await cache.addAll(files);
}

/** The build before this one stays, for pages of it that are still open. */
async function forgetOlder() {
  const names = (await caches.keys()).filter((name) => name.startsWith("shardboard-"));
  const others = names.filter((name) => name !== cacheName);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

/** The newest page where there is a network, else the kept one. */
async function pageOf(request) {
  try {
    return await fetch(request);
  } catch {
    const options = { cacheName, ignoreSearch: true, ignoreVary: true };
    const kept = (await caches.match(request, options)) ?? (await caches.match("./", options));
    return kept ?? Response.error();
  }
}

/** Names of files change with their content, so what is kept is always right. */
async function fileOf(request) {
  const kept = await caches.match(request, { ignoreSearch: true, ignoreVary: true });
  return kept ?? fetch(request);
}
