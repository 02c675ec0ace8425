import type { SendTimeName } from "../../model/send-times";
import { grouped } from "./counts";

/** Words of what is sent later, of reminders and of saved texts. */
export const later = {
  ahead: {
    inAnHour: "In an hour",
    todayAfternoon: "This afternoon",
    todayEvening: "This evening",
    tomorrow: "Tomorrow morning",
    tomorrowAfternoon: "Tomorrow afternoon",
    monday: "Monday morning",
  } satisfies Record<SendTimeName, string>,
  at: (name: string, moment: string) => `${name}, ${moment}`,
  change: "Change",
  changeTime: "Change time",
  chooseTime: "Choose a date and time…",
  failed:
    "Not sent at its time. Notification Bot has told you why. Choose another time, or edit the message.",
  gone: "The message is gone, or you may no longer read it.",
  keptAsDraft: (why: string) => `It is now in your drafts. Reason: ${why}`,
  note: "Note (optional)",
  pastTime: "Choose a time in the future.",
  remindAt: "Remind me",
  reminderDeleted: "Reminder deleted.",
  reminderSet: (moment: string) => `You will be reminded: ${moment}`,
  reminders: {
    none: "No reminders.",
    noneHelp: "Choose “Remind me” in the menu of a message. Notification Bot writes to you then.",
  },
  remove: "Delete",
  removeNamed: (text: string) => `Delete: ${text}`,
  changeNamed: (text: string) => `Change: ${text}`,
  sendNow: "Send now",
  sendNowNamed: (text: string) => `Send now: ${text}`,
  sendsNow: "It is being sent.",
  scheduled: {
    deleted: "Scheduled message deleted.",
    edit: "Change the scheduled message",
    list: "All scheduled messages",
    none: "Nothing is scheduled.",
    noneHelp: "Write a message and choose “Send later” next to Send. It waits here until its time.",
    text: "Text",
  },
  scheduledFor: (moment: string) => `It will be sent: ${moment}`,
  schedule: "Schedule",
  showMore: (count: number) => `Show ${grouped(count)} more`,
  snippets: {
    change: "Change the saved text",
    deleted: "Saved text deleted.",
    make: "New saved text",
    none: "No saved texts.",
    noneHelp: "Save a text that you write often, and insert it into your messages.",
    text: "Text",
    title: "Title",
    use: "Type / at the start of a line of your message, and then the beginning of a title.",
  },
  when: "Date and time",
};
