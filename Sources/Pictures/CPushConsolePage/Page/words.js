// Sentences about pushes, from what the report says of them.

const marks = {
  delivered: ["good", "✓", "Delivered"], replaced: ["good", "↻", "Replaced"], reposted: ["good", "↻", "Reposted"],
  started: ["good", "●", "Started"], updated: ["good", "●", "Updated"], ended: ["good", "■", "Ended"],
  presented: ["good", "▭", "Presented"], "fanned-out": ["good", "⋔", "Fanned out"],
  silent: ["calm", "·", "Silent"], held: ["warn", "‖", "Held"], suppressed: ["warn", "⊘", "Suppressed"],
  expired: ["warn", "×", "Expired"], discarded: ["warn", "×", "Discarded"],
  rejected: ["bad", "!", "Rejected"], malformed: ["bad", "!", "Malformed"],
  applied: ["calm", "✓", "Applied"], ignored: ["calm", "–", "Ignored"],
};

export const outcomes = Object.keys(marks);

/** How an outcome looks: a tone, a sign and a word. */
export function look(outcome, status) {
  const [tone, sign, word] = marks[outcome] ?? (status >= 400 ? ["bad", "!", "Refused"] : ["calm", "·", "Answered"]);
  return { tone, sign, word };
}

const providers = { apns: "APNs", gcm: "GCM", fcm: "FCM", web: "Web push" };
export const providerName = (name) => providers[name] ?? name ?? "The gateway";

const suppressed = {
  "dry-run": "This was a dry run: the service checks the push and delivers nothing.",
  "extension-filtered": "The app's service extension filtered it out.",
  "force-quit": "It is a background push, and the user has force-quit the app.",
  "force-stopped": "The user has stopped the app in the settings of the Android device.",
  "channel-off": "The user has switched its notification channel off.",
  "no-channel": "It is for no notification channel that the app has.",
  "logged-out": "Nobody is logged in to the app.",
  "not-determined": "The app has not asked for permission to show notifications yet.",
  denied: "The user has not allowed the app to show notifications.",
  "not-registered": "The app has not registered for notifications.",
  "registration-failed": "The app's registration for notifications failed.",
  "subscription-failed": "The server that sends notifications did not take the app's token.",
  "alerts-off": "The user has switched alerts of the app off.",
  "notification-center-off": "It has no banner, and the user has switched Notification Center off for the app.",
  "type-off": "The user has switched notifications of this type off.",
  "token-disabled": "The sender has stopped sending to this token, because it was reported dead.",
  "token-deleted": "The sender has deleted this token.",
  "activity-ended": "The Live Activity has ended.",
  "activity-dismissed": "The user has swiped the Live Activity away.",
  "too-many-notifications": "The app shows as many notifications as Android lets it.",
  "start-token": "Its token starts Live Activities. An activity that has started is updated with a token of its own.",
  "older-timestamp": "The Live Activity has newer content.",
  throttled: "The Live Activity has had too many updates of priority 10 within an hour.",
};

const discarded = {
  superseded: "A later push with the same collapse id took its place in the queue.",
  "too-many-collapse-keys": "The queue for the device had pushes with too many collapse keys.",
  "too-many-pending": "The queue for the device was full.",
  "force-quit": "The user has force-quit the app.",
  unregistered: "The token became invalid while the push was queued.",
};

/** Why a device that is online takes a push later. */
const waiting = {
  throttled: { sentence: "The device will take it later.", more: "It defers background pushes when an hour has many of them." },
  doze: { sentence: "The device is in Doze.", more: "Messages of normal priority wait until Doze ends. High priority is delivered at once." },
};

const quietly = {
  focus: "A Focus is on, so it came without a banner or sound.",
  summary: "The app is in the scheduled summary, so it came without a banner or sound.",
  provisional: "The app has provisional permission, so it came without a banner or sound.",
  passive: "Its interruption level is passive, so it came without a banner or sound.",
  channel: "Its notification channel is of low importance, or has no sound, so it came without one.",
  silent: "It is silent.",
  "no-renotify": "It replaced another notification without a sound.",
};

const silently = {
  "no-alert": "It has neither a title, nor a subtitle, nor a body.",
  "push-type": "The system shows no pushes of its type (apns-push-type).",
  foreground: "The app is in the foreground, got the push itself, and does not present it.",
  "misspelled-key": "It has no alert, and a key that is nearly one: look at the findings.",
  "badge-only": "It has a badge and no alert, so at most the number on the app's icon changes.",
  background: "It is a background push, which wakes the app.",
  "data-only": "It has no notification for this platform, so the app gets its data and decides.",
  "refused-options": "The browser refuses its options: look at the findings.",
};

function firstError(line) {
  return line.findings?.find((finding) => finding.severity === "error") ?? line.findings?.[0];
}

const stop = (text) => (/[.!?…]$/.test(text) ? text : `${text}.`);
const capital = ([first = "", ...rest]) => first.toUpperCase() + rest.join("");

/**
 * Why a push did, or did not, appear: a sentence, and more of it. `line` is its line of the report; null for a request that became no
 * record. `later` are the journal's lines about its notification.
 */
export function why(line, message, later = []) {
  if (!line) return withoutReport(message);
  const answer = line.status ? ` (${line.status})` : "";
  switch (line.outcome) {
    case "rejected": {
      const finding = firstError(line);
      return {
        sentence: `${providerName(line.provider)} refused it: ${line.reason ?? "no reason"}${answer}.`,
        more: finding ? stop(capital(finding.message)) : "",
      };
    }
    case "malformed":
      return {
        sentence: "Not a push: the request body is malformed.",
        more: line.error ? `${stop(capital(line.error.message))} Line ${line.error.line}, column ${line.error.column}.` : "",
      };
    case "suppressed":
      return {
        sentence: suppressed[line.reason] ?? `It is not shown: ${line.reason}.`,
        more: `${providerName(line.provider)} took it${answer}, and the device does not show it.`,
      };
    case "held": {
      const next = later.find((entry) => entry.seq === line.seq && entry.kind !== "held")?.kind;
      if (next === "delivered" || next === "replaced") {
        const now = shown(line, later.filter((entry) => entry.kind !== "held"));
        return {
          sentence: now.sentence,
          more: line.reason === "doze"
            ? "It was held while the device was in Doze, and came when Doze ended."
            : "It was held while the device was offline, and came when the device was back.",
        };
      }
      if (next === "expired") return { sentence: "It expired before the device was back.", more: "It was held while the device was offline." };
      if (next === "discarded") return {
        sentence: "It was held, and then dropped.",
        more: "A later push took its place, there were too many, or the token became invalid while the device was offline.",
      };
      return waiting[line.reason]
        ?? { sentence: "The device is offline.", more: `${providerName(line.provider)} keeps the push until the device is back, or the push expires.` };
    }
    case "expired":
      return line.reason === "not-stored"
        ? { sentence: "The device was offline, and the push may not be queued.", more: "Its expiration, or its time to live, is 0." }
        : { sentence: "It expired before the device was back.", more: "" };
    case "discarded": return { sentence: "It was queued, and then dropped.", more: discarded[line.reason] ?? "" };
    case "silent": {
      const set = later.find((entry) => entry.kind === "badge-set" && entry.seq === line.seq);
      return set
        ? { sentence: `It set the number on the app's icon to ${set.identifier}.`, more: "It has no alert, so nothing else is on the screen." }
        : { sentence: "It reached the app, and nothing appears.", more: silently[line.reason] ?? (line.reason ? `Reason: ${line.reason}.` : "") };
    }
    case "presented": return { sentence: "It was shown briefly, as a banner.", more: "It is not in Notification Center." };
    case "fanned-out": return { sentence: `It went to ${line.recipients ?? "the"} subscribers of the topic.`, more: "" };
    case "started": case "updated": case "ended":
      return { sentence: `It ${line.outcome} ${line.activities > 1 ? `${line.activities} Live Activities` : "a Live Activity"}.`, more: "" };
    case "applied": return { sentence: "The event had an effect.", more: "" };
    case "ignored": return { sentence: "The event had no effect.", more: line.reason ? `Reason: ${line.reason}.` : "" };
    default: return shown(line, later);
  }
}

function shown(line, later) {
  const how = {
    replaced: `It replaced an earlier notification${line.replaces ? `, that of record ${line.replaces}` : ""}.`,
    reposted: "An extension removed an earlier notification, and this one appeared.",
  }[line.outcome];
  const more = [how, beside(line.stale), quietly[line.quiet]].filter(Boolean).join(" ");
  const mine = later.filter((entry) => entry.seq >= line.seq);
  const end = mine.find((entry, index) => index > 0 && ["replaced", "removed", "withdrawn", "cleared", "tapped", "dismissed"].includes(entry.kind));
  if (!end) return { sentence: "It is on the device's screen.", more };
  const words = {
    replaced: `It was on the screen until record ${end.seq} replaced it.`, removed: "It was on the screen until an extension removed it.",
    cleared: `It was on the screen until record ${end.seq} set the badge to 0.`,
    withdrawn: `It was on the screen until the app removed it because of record ${end.seq}.`,
    tapped: "It was on the screen until the user tapped it.", dismissed: "It was on the screen until the user dismissed it.",
  };
  return { sentence: words[end.kind], more };
}

/** The notifications that should have left the screen before this one appeared. */
function beside(stale) {
  if (!stale?.length) return "";
  const which = stale.length === 1 ? "An earlier notification stayed" : `${stale.length} earlier notifications stayed`;
  const times = stale.map((each) => each.milliseconds);
  if (times.includes(null)) return `${which} beside it: the removal was lost.`;
  return `${which} beside it for ${Math.max(...times)} ms: the removal came late.`;
}

function withoutReport(message) {
  if (!message) return { sentence: "", more: "" };
  if (message.service === "none") {
    return { sentence: "No push service has this path.", more: "APNs takes POST /3/device/TOKEN, FCM POST /v1/projects/PROJECT/messages:send." };
  }
  if (message.status >= 400) return { sentence: `The gateway refused the request (${message.status}).`, more: "The answer below says why." };
  return { sentence: `The gateway answered ${message.status}.`, more: "The request is not a push, so nothing was delivered." };
}

/** The line of a message's report that says most: about a device rather than a topic, the worst first. */
export function mainLine(message) {
  const lines = message.report ?? [];
  return lines.find(
    (line) => line.outcome === "rejected" || line.outcome === "malformed"
  ) ?? lines.find((line) => line.original === undefined && !line.event) ?? lines[0] ?? null;
}

const kinds = {
  delivered: "appeared", replaced: "replaced the previous one", removed: "left the screen",
  posted: "was posted by the app", withdrawn: "was removed by the app",
  "removal-lost": "stayed: its removal was lost", cleared: "left the screen: a push set the badge to 0",
  held: "is queued: the device is offline", suppressed: "was not shown", quiet: "came quietly", "badge-set": "set the number on the icon",
  expired: "expired", discarded: "was dropped from the queue", tapped: "was tapped",
  dismissed: "was dismissed", token_disabled: "token disabled", token_deleted: "token deleted", started: "started", updated: "updated", ended: "ended",
  alerted: "lit up the screen",
};

const steps = {
  launch: "the app starts", restore: "restores", wake: "wakes in the background", "come-to-front": "comes to the front", "start-over": "starts over",
  "dismiss-modal": "closes", "ask-to-discard": "asks about unsaved work in", discard: "discards", cancel: "stays where it was",
  "push-centre": "opens its list of notifications", "show-centre": "shows its list of notifications", open: "opens", back: "goes back",
  save: "saves", banner: "shows a banner", list: "adds it to the list", sound: "plays a sound", badge: "sets the number on its icon",
  toast: "shows a toast", "not-presented": "does not present it", "mark-bell": "marks the bell", "clear-bell": "clears the bell",
  "handle-action": "carries out", fetch: "fetches in the background", "keep-silent": "stays silent",
};

/** `open article/7`: opens article/7. */
export function stepWords(step) {
  const [name, ...rest] = step.split(" ");
  return [steps[name] ?? name, ...rest].join(" ");
}

export const kindWords = (kind) => kinds[kind] ?? steps[kind] ?? kind.replaceAll("_", " ");

/** `ab54…b987`. */
export const short = (name) => (name.length > 18 ? `${name.slice(0, 8)}…${name.slice(-4)}` : name);

/** An app's name, as far as its identifier tells: `org.example.news` is News. The pictures of `pushpipe store show` have the same names. */
export function appName(app) {
  const host = /:\/\/([^/:]+)/.exec(app ?? "")?.[1];
  if (host) return host;
  const last = (app ?? "").trim().split(".").filter(Boolean).at(-1);
  return last ? capital(last) : "App";
}

/** `1 error`, `2 errors`. */
export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

export function clock(time, seconds = true) {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? String(time)
    : date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false, ...(seconds ? { second: "2-digit" } : {}) });
}

/** `now`, `5m ago`, as on a lock screen. */
export function ago(time, now = Date.now()) {
  const seconds = (now - new Date(time).getTime()) / 1000;
  if (Number.isNaN(seconds)) return "";
  if (seconds < 60) return "now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)}h ago`;
  return new Date(time).toLocaleDateString([], { day: "numeric", month: "short" });
}
