"""aiogram against the fake: every call that pagerd makes, with typed results."""

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import TelegramBadRequest
from aiogram.types import (
    BufferedInputFile,
    ChatMemberAdministrator,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MessageEntity,
    ReactionTypeEmoji,
)
from fake import BOT, FORUM, OWNER, TOKEN, URL, act, same


async def main():
    async with Bot(TOKEN, session=AiohttpSession(api=TelegramAPIServer.from_base(URL))) as bot:
        await chat_and_rights(bot)
        thread = await topic(bot)
        message = await question(bot, thread)
        await press(bot, message)
        await end(bot, thread, message)


async def chat_and_rights(bot):
    me = await bot.get_me()
    same((me.id, me.is_bot, me.username), (BOT, True, "pager_test_bot"))
    chat = await bot.get_chat(FORUM)
    same((chat.type, chat.is_forum), ("supergroup", True))
    member = await bot.get_chat_member(FORUM, BOT)
    same((type(member), member.can_manage_topics), (ChatMemberAdministrator, True))


async def topic(bot):
    icons = await icon_ids(bot)
    made = await bot.create_forum_topic(FORUM, "Release?", icon_custom_emoji_id=icons["❓"])
    same((made.name, made.icon_custom_emoji_id), ("Release?", icons["❓"]))
    return made.message_thread_id


async def icon_ids(bot):
    stickers = await bot.get_forum_topic_icon_stickers()
    return {sticker.emoji.rstrip("\ufe0f"): sticker.custom_emoji_id for sticker in stickers}


async def question(bot, thread):
    buttons = [[InlineKeyboardButton(text=label, callback_data=label)] for label in ("Yes", "No")]
    message = await bot.send_message(
        FORUM,
        "🎉 Release?",
        message_thread_id=thread,
        entities=[MessageEntity(type="bold", offset=3, length=7)],
        reply_markup=InlineKeyboardMarkup(inline_keyboard=buttons),
    )
    same((message.message_thread_id, message.is_topic_message, message.text), (thread, True, "🎉 Release?"))
    same([entity.extract_from(message.text) for entity in message.entities], ["Release"])
    same([row[0].callback_data for row in message.reply_markup.inline_keyboard], ["Yes", "No"])
    return message


async def press(bot, message):
    act("press", message=message.message_id, button="No")
    queries = []
    offset = None
    while not queries:
        updates = await bot.get_updates(offset, timeout=5, allowed_updates=["message", "callback_query"])
        queries = [update.callback_query for update in updates if update.callback_query]
        offset = updates[-1].update_id + 1
    (query,) = queries
    same((query.data, query.from_user.id, query.message.message_id), ("No", OWNER, message.message_id))
    same(await bot.answer_callback_query(query.id, "Noted"), True)
    await refused(bot.answer_callback_query(query.id, "Again"), "query is too old")


async def end(bot, thread, message):
    edited = await bot.edit_message_text("You answered: No", chat_id=FORUM, message_id=message.message_id)
    same((edited.text, edited.reply_markup, edited.edit_date is None), ("You answered: No", None, False))
    again = bot.edit_message_text("You answered: No", chat_id=FORUM, message_id=message.message_id)
    await refused(again, "message is not modified")
    written = act("write", thread=thread, text="Fine")["messages"][0]
    same(await bot.set_message_reaction(FORUM, written, [ReactionTypeEmoji(emoji="👍")]), True)
    done = (await icon_ids(bot))["✅"]
    same(await bot.edit_forum_topic(FORUM, thread, icon_custom_emoji_id=done), True)
    await refused(bot.edit_forum_topic(FORUM, thread, icon_custom_emoji_id=done), "not_modified")
    file = BufferedInputFile(b"The whole text", "question.txt")
    document = await bot.send_document(FORUM, file, message_thread_id=thread)
    same((document.document.file_name, document.message_thread_id), ("question.txt", thread))


async def refused(call, words):
    try:
        await call
    except TelegramBadRequest as error:
        same(words in error.message.lower(), True)
    else:
        raise SystemExit(f"not refused: {words}")


asyncio.run(main())
