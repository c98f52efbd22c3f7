// grammY against the fake: every call that pagerd makes, with the results it promises.

import assert from "node:assert/strict";
import { Api, GrammyError, InlineKeyboard, InputFile } from "grammy";

const URL = process.env.FAKE_TELEGRAM_URL;
const [BOT, FORUM, OWNER] = [100, -1001000000001, 4242];
const api = new Api("100:test-token", { apiRoot: URL });

/** Something that people do, such as a press: not a call of the Bot API. */
async function act(name, fields) {
  const reply = await fetch(`${URL}/_fake/${name}`, { method: "POST", body: JSON.stringify(fields) });
  assert.equal(reply.status, 200);
  return reply.json();
}

async function refused(call, words) {
  const isRefusal = (error) =>
    error instanceof GrammyError && error.error_code === 400 && error.description.toLowerCase().includes(words);
  await assert.rejects(call, isRefusal);
}

async function chatAndRights() {
  const me = await api.getMe();
  assert.deepEqual([me.id, me.is_bot, me.username], [BOT, true, "pager_test_bot"]);
  const chat = await api.getChat(FORUM);
  assert.deepEqual([chat.type, chat.is_forum], ["supergroup", true]);
  const member = await api.getChatMember(FORUM, BOT);
  assert.deepEqual([member.status, member.can_manage_topics], ["administrator", true]);
}

async function iconId(emoji) {
  const stickers = await api.getForumTopicIconStickers();
  return stickers.find((sticker) => sticker.emoji.replace("\ufe0f", "") === emoji).custom_emoji_id;
}

async function topic() {
  const icon = await iconId("❓");
  const made = await api.createForumTopic(FORUM, "Release?", { icon_custom_emoji_id: icon });
  assert.deepEqual([made.name, made.icon_custom_emoji_id], ["Release?", icon]);
  return made.message_thread_id;
}

async function question(thread) {
  const message = await api.sendMessage(FORUM, "🎉 Release?", {
    message_thread_id: thread,
    entities: [{ type: "bold", offset: 3, length: 7 }],
    reply_markup: new InlineKeyboard().text("Yes", "Yes").row().text("No", "No"),
  });
  assert.deepEqual([message.message_thread_id, message.is_topic_message, message.text], [thread, true, "🎉 Release?"]);
  assert.deepEqual(message.entities, [{ type: "bold", offset: 3, length: 7 }]);
  assert.deepEqual(message.reply_markup.inline_keyboard.map((row) => row[0].callback_data), ["Yes", "No"]);
  return message.message_id;
}

async function press(message) {
  await act("press", { message, button: "No" });
  let query;
  let offset;
  while (!query) {
    const updates = await api.getUpdates({ offset, timeout: 5, allowed_updates: ["message", "callback_query"] });
    query = updates.map((update) => update.callback_query).find((query) => query);
    offset = updates.at(-1).update_id + 1;
  }
  assert.deepEqual([query.data, query.from.id, query.message.message_id], ["No", OWNER, message]);
  assert.equal(await api.answerCallbackQuery(query.id, { text: "Noted" }), true);
  await refused(api.answerCallbackQuery(query.id, { text: "Again" }), "query is too old");
}

async function end(thread, message) {
  const edited = await api.editMessageText(FORUM, message, "You answered: No");
  assert.deepEqual([edited.text, edited.reply_markup], ["You answered: No", undefined]);
  assert.equal(typeof edited.edit_date, "number");
  await refused(api.editMessageText(FORUM, message, "You answered: No"), "message is not modified");
  const { messages } = await act("write", { thread, text: "Fine" });
  assert.equal(await api.setMessageReaction(FORUM, messages[0], [{ type: "emoji", emoji: "👍" }]), true);
  const icon = await iconId("✅");
  assert.equal(await api.editForumTopic(FORUM, thread, { icon_custom_emoji_id: icon }), true);
  await refused(api.editForumTopic(FORUM, thread, { icon_custom_emoji_id: icon }), "not_modified");
  const file = new InputFile(new TextEncoder().encode("The whole text"), "question.txt");
  const sent = await api.sendDocument(FORUM, file, { message_thread_id: thread });
  assert.deepEqual([sent.document.file_name, sent.message_thread_id], ["question.txt", thread]);
}

await chatAndRights();
const thread = await topic();
const message = await question(thread);
await press(message);
await end(thread, message);
