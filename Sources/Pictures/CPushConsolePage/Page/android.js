// What an Android device does with the notifications in its tray, as `AndroidScreen` has it.

/** The fewest notifications of an app that are bundled, unless an event has said otherwise. */
const leastOfBundle = 2;

/** The number of an app's notifications from which the system bundles them. */
export function bundledFrom(app, registered) {
  const own = registered.find((event) => event.event === "device" && (!event.app || event.app === app));
  return own?.auto_group_at ?? leastOfBundle;
}

/** The names of `visibility` by their numbers, which FCM takes in their place. */
const visibilities = { 1: "PRIVATE", 2: "PUBLIC", 3: "SECRET" };

/** The options of Android in a message of FCM v1; an older one has none of these. */
function optionsOf({ payload }) {
  const message = payload?.message ?? payload;
  const second = message?.android_v2 ?? message?.androidV2;
  const block = second ? second.remote_notification ?? second.remoteNotification : message?.android;
  return block?.notification ?? {};
}

/** When the event was that a notification is about. */
function timeOf(notification) {
  const options = optionsOf(notification);
  const time = Date.parse(options.event_time ?? options.eventTime ?? "");
  return Number.isNaN(time) ? Date.parse(notification.delivered_at) : time;
}

/** A notification as a lock screen shows it; null if it does not. */
function onLockScreen(notification) {
  const value = String(optionsOf(notification).visibility ?? "PRIVATE").toUpperCase();
  const visibility = visibilities[value] ?? value;
  if (visibility === "SECRET") return null;
  if (visibility === "PUBLIC") return notification;
  return { ...notification, title: "", subtitle: "", body: "New notification", changes: undefined };
}

/** The notifications of a device as they are seen, newest first. */
export function seenOnAndroid(notifications, registered) {
  const isLocked = registered.some((event) => event.event === "device" && event.locked);
  const seen = isLocked ? notifications.map(onLockScreen).filter(Boolean) : [...notifications];
  return seen.sort((first, second) => timeOf(second) - timeOf(first));
}
