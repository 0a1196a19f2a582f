// A phone as its user would see it.
import { bundledFrom, seenOnAndroid } from "./android.js";
import { h } from "./dom.js";
import { appIcon, avatar, lockTiles, padlockGlyph, statusGlyph, wallpaperOf } from "./icons.js";
import { ago, appName } from "./words.js";

/** What a notification says, also where only its payload does. */
export function textsOf(notification) {
  const changes = notification.changes ?? {};
  return {
    title: changes.title ?? notification.title ?? "", subtitle: changes.subtitle ?? notification.subtitle ?? "",
    body: changes.body ?? notification.body ?? "",
  };
}

/** Whether a text has nothing that can be seen: spaces, joiners, fillers and controls alone. U+2800 is an empty Braille pattern. */
const isInvisible = (text) => /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]+$/u.test(text);

/** What a notification has instead of a title: nothing is to look as if it had none. */
const titleOf = (title, app) => (title.trim() === "" ? appName(app) : isInvisible(title) ? "(nothing visible)" : title.slice(0, 500));

/** The app that a notification is drawn with. Google's tokens belong to one app, which only some requests name; pictures do the same. */
const drawnApp = ({ app, payload }) => {
  const named = [app, payload?.restricted_package_name, payload?.android?.restricted_package_name, payload?.message?.android?.restricted_package_name];
  return named.find((name) => typeof name === "string" && name !== "") ?? "";
};

/** The words above the title of a notification that breaks through; pictures have the same. */
function levelOf({ changes, payload }) {
  const aps = payload?.aps ?? payload?.message?.apns?.payload?.aps ?? payload?.apns?.payload?.aps;
  return { "time-sensitive": "TIME SENSITIVE", critical: "CRITICAL" }[changes?.interruptionLevel ?? aps?.["interruption-level"]] ?? "";
}

/** The category of a notification, among those that its app has registered. */
function categoryOf(notification, registered) {
  const category = notification.changes?.categoryIdentifier ?? notification.payload?.aps?.category;
  const events = registered.filter((event) => event.event === "device" && event.categories && (!event.app || event.app === notification.app));
  return events.flatMap((event) => event.categories).find((one) => one.id === category);
}

/** Whether an app of an iPhone hides the texts of its notifications. */
function hidesTexts(app, registered) {
  const events = registered.filter((event) => event.event === "device");
  const event = events.find((one) => one.app === app) ?? events.find((one) => !one.app);
  return event?.previews === "never" || (event?.previews === "when-unlocked" && Boolean(event.locked));
}

/** What is seen of a notification whose texts are hidden; `count` have its thread. The pictures and `HiddenPreviews` do the same. */
function hiddenTexts({ title, subtitle }, category, count) {
  return {
    title: category?.shows_title ? title : "", subtitle: category?.shows_subtitle ? subtitle : "",
    body: (category?.placeholder ?? "Notification").replaceAll("%u", String(count)),
  };
}

export const keyOf = (notification) => JSON.stringify([notification.app, notification.identifier]);

/** Whether a device is one of Android's: because events said so, or because of what it was sent. */
export function platformOf(registered, notifications) {
  const said = registered?.find((event) => event.platform)?.platform;
  if (said) return said;
  const payload = notifications.find((one) => one.payload)?.payload;
  if (!payload || payload.aps) return "ios";
  return payload.webpush || payload.message?.webpush ? "web" : "android";
}

/** Draws a device, and keeps the cards that stay: a replacement changes in place, and what is new arrives. */
export class Phone {
  /** `act(name, notification, chosen)` is called for "open", "tap" and "dismiss"; `chosen` says which action. */
  constructor({ act }) {
    this.act = act;
    this.cards = new Map();
    this.unfolded = new Set();
    this.element = h("div", { class: "phone" });
    this.isFirst = true;
  }

  /**
   * `screen` is `{device, notifications, activities, registered, apps, platform, at, unread}`; `view` is lock, center or home; `selected` is
   * `{seq, identifier}` or null.
   */
  draw(screen, view, selected) {
    this.now = screen.at ?? Date.now();
    this.selected = selected;
    this.registered = screen.registered;
    const isAndroid = screen.platform !== "ios";
    const isOffline = screen.registered.some((event) => event.event === "device" && event.online === false);
    const focus = screen.registered.find((event) => event.event === "focus" && event.on);
    this.element.className = `phone ${isAndroid ? "android" : "ios"}`;
    this.element.style.setProperty("--wall", `var(${wallpaperOf(screen.device)})`);
    this.element.setAttribute("aria-label", `Screen of ${screen.device}`);
    this.element.setAttribute("role", "group");
    const time = new Date(this.now);
    const status = h("div", { class: "status-bar" },
      h("span", {}, view === "home" || isAndroid ? time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false }) : ""),
      h("span", { class: "right" }, focus ? "☾ Focus" : null, isOffline ? "✈ Offline" : statusGlyph()));
    const parts = [status, h("div", { class: isAndroid ? "camera" : "island", "aria-hidden": "true" })];
    const seen = new Set();
    if (view === "home") parts.push(this.home(screen));
    else if (isAndroid) parts.push(...this.shade(screen, time, seen));
    else parts.push(...this.ios(screen, time, view, seen));
    parts.push(h("div", { class: "home-bar", "aria-hidden": "true" }));
    const list = this.element.querySelector(".shown, .shade");
    const top = list?.scrollTop ?? 0;
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    this.element.replaceChildren(...parts);
    const newList = this.element.querySelector(".shown, .shade");
    if (newList) newList.scrollTop = top;
    if (focused?.isConnected) focused.focus({ preventScroll: true });
    for (const key of this.cards.keys()) if (!seen.has(key)) this.cards.delete(key);
    this.isFirst = false;
  }

  ios(screen, time, view, seen) {
    const isLock = view !== "center";
    const clock = h("div", { class: "clock" }, isLock ? padlockGlyph() : null,
      h("div", { class: "date" }, time.toLocaleDateString([], { weekday: "long", day: "numeric", month: "long" })),
      h("div", { class: "time" }, time.toLocaleTimeString([], { hour: "numeric", minute: "2-digit", hour12: false })));
    const groups = this.groups(screen.notifications);
    const list = [
      ...screen.activities.map((activity) => this.activity(activity)),
      !isLock && groups.length > 0 ? h("div", { class: "center-title" }, "Notification Center") : null,
      ...groups.flatMap((group) => this.stack(group, seen)),
      screen.hasMore ? h("p", { class: "nothing" }, "Older notifications are not drawn.") : null,
    ].filter(Boolean);
    if (list.length === 0) list.push(...this.empty(screen, isLock ? "Nothing on the lock screen" : "No notifications"));
    return [
      clock,
      h("div",
        {
          class: `shown ${isLock && list.length < 5 ? "lock" : "center"}`, tabindex: "0", role: "region",
          "aria-label": isLock ? "Lock screen" : "Notification Center",
        },
        list),
      isLock && list.length < 5 ? lockTiles() : null,
    ].filter(Boolean);
  }

  shade(screen, time, seen) {
    const clock = h("div", { class: "clock small" },
      h("div", { class: "time" }, time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false })),
      h("div", {}, time.toLocaleDateString([], { weekday: "short", day: "numeric", month: "short" })));
    const isAndroid = screen.platform === "android";
    const groups = this.groups(isAndroid ? seenOnAndroid(screen.notifications, screen.registered) : screen.notifications);
    const list = groups.flatMap((group) => isAndroid ? this.bundle(group, seen, screen.registered) : this.stack(group, seen, true));
    if (list.length === 0) list.push(...this.empty(screen, "No notifications"));
    else list.push(h("button", { type: "button", class: "clear-all", onclick: () => this.act("clear", { app: "" }) }, "Clear all"));
    return [clock, h("div", { class: "shade", tabindex: "0", role: "region", "aria-label": "Notification shade" }, list)];
  }

  /** The words where there are no notifications: the numbers on icons are on the home screen, and nobody looks there. */
  empty(screen, words) {
    const badges = screen.at == null ? screen.apps.filter((app) => app.badge > 0) : [];
    return [words, ...badges.slice(0, 5).map((app) => `${appName(app.app)} has the badge ${app.badge}`)]
      .map((line) => h("p", { class: "nothing" }, line));
  }

  /** Notifications of an app on Android: the system bundles two and more. */
  bundle(group, seen, registered) {
    const { items } = group;
    if (items.length < bundledFrom(group.app, registered)) return items.map((item) => this.card(item, seen, true));
    const open = h("div", { class: "group-bar" }, h("span", { class: "section-title" }, `Bundle of ${items.length}`),
      h("button", { type: "button", onclick: () => this.act("bundle", items[0]) }, "Tap the bundle"));
    return [h("div", { class: "bundle" }, open, ...this.stack(group, seen, true))];
  }

  /** Notifications by app and thread, in the order of the newest of each. */
  groups(notifications) {
    const groups = new Map();
    for (const notification of notifications) {
      const app = drawnApp(notification);
      const key = JSON.stringify([app, notification.thread ?? ""]);
      if (!groups.has(key)) groups.set(key, { key, app, thread: notification.thread, items: [] });
      groups.get(key).items.push(notification);
    }
    return [...groups.values()];
  }

  stack(group, seen, isAndroid = false) {
    const { items, key } = group;
    if (items.length === 1) return [this.card(items[0], seen, isAndroid)];
    const isOpen = this.unfolded.has(key);
    const toggle = (event) => {
      if (isOpen) this.unfolded.delete(key);
      else this.unfolded.add(key);
      event.stopPropagation();
      this.redraw?.();
    };
    const first = this.card(items[0], seen, isAndroid,
      isOpen
        ? null
        : h("button", { type: "button", class: "quiet", "aria-expanded": "false", onclick: toggle },
          `${items.length - 1} more${group.thread ? ` in ${group.thread}` : ""}`), items.length);
    if (!isOpen) return [h("div", { class: "stack closed" }, first)];
    return [h("div", { class: "stack" },
      h("div", { class: "group-bar" }, h("span", { class: "section-title" }, appName(group.app)),
        h("button", { type: "button", "aria-expanded": "true", onclick: toggle }, "Show less")),
      first, ...items.slice(1).map((item) => this.card(item, seen, isAndroid, null, items.length)))];
  }

  card(notification, seen, isAndroid, more = null, count = 1) {
    const key = keyOf(notification);
    seen.add(key);
    let card = this.cards.get(key);
    const isNew = !card;
    if (!card) {
      card = { node: h("article", { class: "card" }), seq: notification.seq };
      this.cards.set(key, card);
    }
    const isUnknown = notification.gone && !notification.known;
    const category = categoryOf(notification, this.registered);
    const isHidden = !isAndroid && !isUnknown && hidesTexts(notification.app, this.registered);
    const texts = textsOf(notification);
    const { title, subtitle, body } = isHidden ? hiddenTexts(texts, category, count) : texts;
    const app = drawnApp(notification);
    const isChanged = !isNew && card.seq !== notification.seq;
    card.seq = notification.seq;
    const node = card.node;
    const isSelected = this.selected?.seq === String(notification.seq) && this.selected.identifier === notification.identifier;
    const level = isAndroid ? "" : levelOf(notification);
    const sender = !isHidden && typeof notification.changes?.sender === "string" ? notification.changes.sender : "";
    const actions = notification.gone ? [] : category?.actions ?? [];
    const signature = JSON.stringify(
      [
        notification.seq, actions, level, sender, notification.changes?.senderImage ?? "",
        title, subtitle, body, notification.known, isAndroid, more?.textContent ?? "",
        ago(notification.delivered_at, this.now),
      ]
    );
    node.dataset.selected = isSelected;
    node.dataset.identifier = notification.identifier;
    if (isNew && !this.isFirst) node.className = "card arrives";
    else if (isChanged) {
      node.className = "card changes";
    } else node.className = "card";
    if (card.signature === signature || (!isChanged && node.querySelector(".answer"))) return node;
    card.signature = signature;
    const when = h("time", { class: "when", datetime: notification.delivered_at }, ago(notification.delivered_at, this.now));
    const label = title || body || (isUnknown ? "text not recorded" : "no text");
    node.replaceChildren(
      h("button",
        {
          type: "button", class: "open", "aria-label": `${appName(app)}: ${label.slice(0, 200)}`,
          onclick: () => this.act("open", notification),
        }),
      sender ? avatar(sender, app, notification.changes.senderImage) : appIcon(app),
      h("div", {},
        isAndroid ? h("div", { class: "source" }, appName(app), h("span", { class: "when" }, ago(notification.delivered_at, this.now))) : null,
        level ? h("div", { class: "head" }, h("span", { class: "level" }, level), when) : null,
        h("div", { class: "head" },
          h("span", { class: isUnknown ? "title unknown" : "title", dir: "auto" }, isUnknown ? "Text not recorded" : titleOf(title, app)),
          isAndroid || level ? null : when),
        subtitle ? h("div", { class: "subtitle", dir: "auto" }, subtitle.slice(0, 500)) : null,
        body ? h("div", { class: "body", dir: "auto" }, body.slice(0, 1500)) : null,
        isUnknown ? h("div", { class: "unknown mono" }, notification.identifier) : null,
        more),
      notification.gone ? "" : h("div", { class: "acts" },
        h("button", { type: "button", onclick: () => this.act("tap", notification) }, "Tap"),
        actions.map((action) => this.action(action, notification)),
        h("button", { type: "button", onclick: () => this.act("dismiss", notification) }, "Dismiss")));
    return node;
  }

  /** The button of an action; for one that takes a text, it is replaced by a field. */
  action(action, notification) {
    const title = action.title ?? action.id;
    const choose = (text) => this.act("tap", notification, { action: action.id, text, title });
    const button = h("button", {
      type: "button", class: "action", onclick: () => {
        if (!action.text) return choose();
        const field = h("input", { type: "text", "aria-label": title, placeholder: title, maxlength: "1000" });
        const form = h("form", { class: "answer", onsubmit: (event) => {
          event.preventDefault();
          choose(field.value);
        } }, field, h("button", { type: "submit" }, "Send"));
        button.replaceWith(form);
        field.focus();
      },
    }, title);
    return button;
  }

  activity(activity) {
    const values = Object.entries(activity.content_state ?? {}).slice(0, 8);
    return h("article", { class: "activity" },
      h("div", { class: "name" }, h("span", {}, activity.attributes_type ?? appName(activity.app)), h("span", { class: "state" }, activity.state)),
      h("dl", {},
        values.map(([name, value]) => h("div", {}, h("dt", {}, name),
          h("dd", { dir: "auto" }, typeof value === "object" ? JSON.stringify(value) : String(value))))),
      h("div", { class: "acts" }, h("button", { type: "button", onclick: () => this.act("dismiss", activity) }, "Dismiss")));
  }

  home(screen) {
    const shown = screen.apps.length > 0 ? screen.apps : [{ app: "" }];
    return h("div", { class: "home", tabindex: "0", role: "region", "aria-label": "Home screen" }, shown.map((app) =>
      h("button", {
        type: "button", class: "app", onclick: () => this.act("launch", app),
        "aria-label": `${appName(app.app)}${app.badge ? `, badge ${app.badge}` : ""}`,
      },
        h("span", { class: "face" }, appIcon(app.app), app.badge ? h("span", { class: "badge" }, app.badge > 9999 ? "9999+" : app.badge) : null),
        h("span", { class: "name" }, appName(app.app)))));
  }
}
