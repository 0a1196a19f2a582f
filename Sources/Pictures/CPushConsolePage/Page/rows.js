// A list of rows of one height, of which only those in sight exist. Arrow keys move the selection.
import { h, onceAFrame } from "./dom.js";

// A key may contain anything; an id that others refer to may not contain white space.
let lastNumber = 0;
function rowID(element) {
  lastNumber += 1;
  return `${element.id}-${lastNumber}`;
}

export class Rows {
  /**
   * `draw(item)` returns the row's children, `key(item)` a text that tells items apart. `choose(item, options)` is called for a click and
   * for arrow keys; the options are those of `change`, so that a list can be gone through without a step back for each row.
   * `more()` is called when the end comes near.
   */
  constructor(element, { label, draw, key, choose, rowClass = () => "", more = () => {}, describe = () => null }) {
    Object.assign(this, { element, drawItem: draw, key, choose, rowClass, more, describe });
    this.items = [];
    this.selected = null;
    this.drawn = new Map();
    this.space = h("div", { class: "rows-space", role: "listbox", "aria-label": label, tabindex: "0" });
    element.replaceChildren(this.space);
    this.height = 44;
    this.refresh = onceAFrame(() => this.draw());
    element.addEventListener("scroll", this.refresh, { passive: true });
    new ResizeObserver(this.refresh).observe(element);
    this.space.addEventListener("keydown", (event) => this.keyDown(event));
    this.space.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) this.pick(Number(row.dataset.index));
    });
  }

  /** The items that are shown. Rows that were in sight stay where they are if `added` items were put before them. */
  set(items, added = 0) {
    this.items = items;
    if (added > 0 && this.element.scrollTop > this.height) {
      this.space.style.height = `${items.length * this.height}px`;
      this.element.scrollTop += added * this.height;
    }
    this.refresh();
  }

  select(key) {
    if (this.selected === key) return;
    this.selected = key;
    this.refresh();
  }

  pick(index, options = {}) {
    const item = this.items[index];
    if (item === undefined) return;
    this.selected = this.key(item);
    this.reveal(index);
    this.choose(item, options);
    this.refresh();
  }

  reveal(index) {
    const [top, bottom] = [index * this.height, (index + 1) * this.height];
    const view = this.element;
    if (top < view.scrollTop) view.scrollTop = top;
    else if (bottom > view.scrollTop + view.clientHeight) view.scrollTop = bottom - view.clientHeight;
  }

  keyDown(event) {
    const page = Math.max(Math.floor(this.element.clientHeight / this.height) - 1, 1);
    const current = this.items.findIndex((item) => this.key(item) === this.selected);
    const moves = { ArrowDown: current + 1, ArrowUp: Math.max(current - 1, 0), PageDown: current + page, PageUp: current - page, Home: 0, End: Infinity };
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.pick(Math.max(0, Math.min(moves[event.key], this.items.length - 1)), { replaces: true });
  }

  draw() {
    const { element, items, height } = this;
    this.space.style.height = `${items.length * height}px`;
    const first = Math.max(Math.floor(element.scrollTop / height) - 4, 0);
    const last = Math.min(Math.ceil((element.scrollTop + element.clientHeight) / height) + 4, items.length);
    if (last + 20 >= items.length) this.more();
    const seen = new Set();
    let active = null;
    for (let index = first; index < last; index += 1) {
      const item = items[index];
      const key = this.key(item);
      seen.add(key);
      let row = this.drawn.get(key);
      if (!row || row.item !== item) {
        const node = h("div",
          { class: `row ${this.rowClass(item)}`, role: "option", id: row?.node.id ?? rowID(element), "aria-label": this.describe(item) },
          this.drawItem(item));
        row?.node.remove();
        row = { item, node };
        this.drawn.set(key, row);
        this.space.append(node);
      }
      row.node.style.transform = `translateY(${index * height}px)`;
      row.node.dataset.index = index;
      row.node.setAttribute("aria-posinset", index + 1);
      row.node.setAttribute("aria-setsize", items.length);
      const isSelected = key === this.selected;
      row.node.setAttribute("aria-selected", isSelected);
      if (isSelected) active = row.node.id;
    }
    for (const [key, row] of this.drawn) {
      if (seen.has(key)) continue;
      row.node.remove();
      this.drawn.delete(key);
    }
    // Whoever hears the list hears it in its order.
    let next = this.space.firstChild;
    for (const key of seen) {
      const { node } = this.drawn.get(key);
      if (node === next) next = next.nextSibling;
      else this.space.insertBefore(node, next);
    }
    if (active) this.space.setAttribute("aria-activedescendant", active);
    else this.space.removeAttribute("aria-activedescendant");
  }
}
