/**
 * The search of the overview, which works without a server. The texts of all messages are scripts
 * in the folder, because a page that is opened from a disk may load no other data. A message
 * matches if its text, its sender's name and its place together contain all words. Results are
 * inserted as text, never as HTML.
 */
export const searchScript = `
const input = document.getElementById("search");
const results = document.getElementById("results");
const { files, nothing, more } = input.dataset;
const messages = [];
let loading;
function found(some) { for (const one of some) messages.push([...one, one.slice(1).join(" ").toLowerCase()]); }
function load(number) {
  return new Promise((done) => {
    const script = document.createElement("script");
    script.src = "search/" + number + ".js";
    script.onload = script.onerror = done;
    document.head.append(script);
  });
}
function show() {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  results.replaceChildren();
  if (words.length === 0) return;
  const hits = messages.filter((one) => words.every((word) => one[4].includes(word)));
  for (const [address, place, sender, content] of hits.slice(-200).reverse()) {
    const link = document.createElement("a");
    link.href = address;
    link.textContent = place + ", " + sender;
    const text = document.createElement("p");
    text.textContent = content.slice(0, 300);
    const item = document.createElement("article");
    item.append(link, text);
    results.append(item);
  }
  if (hits.length === 0) results.textContent = nothing;
  if (hits.length > 200) results.append(more);
}
input.addEventListener("input", () => {
  loading ??= Promise.all(Array.from({ length: Number(files) }, (_, index) => load(index + 1)));
  loading.then(show);
});
`;
