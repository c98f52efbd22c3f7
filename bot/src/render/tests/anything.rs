//! Whatever is asked and answered: the message is valid, nothing is lost, nothing hides.

use pager_questions::purpose::Options;
use pager_questions::{Issue, Question, QuestionOption, Reversibility};

use super::*;

fn any_text(most: usize) -> impl Strategy<Value = String> {
    let plain = prop::collection::vec(any::<char>(), 0..most).prop_map(|characters| characters.into_iter().collect());
    let nasty = "[\u{202e}\u{200b}\u{e0fff} \n\ta😀]{0,}";
    prop_oneof![plain, nasty.prop_map(move |text: String| text.chars().cycle().take(most * text.len().min(1)).collect())]
}

fn own_words_or_decline(record: &Record, words: &str) -> Resolution {
    match record.question.purpose.rules().takes_words {
        true => Resolution::OwnWords(words.to_owned()),
        false => Resolution::Declined,
    }
}

fn is_fixed(question: &Question) -> bool {
    matches!(question.purpose.rules().options, Options::Fixed(_))
}

prop_compose! {
    fn any_question()(
        question_text in any_text(1000),
        labels in prop::collection::vec((any_text(100), prop::option::of(any_text(500))), 0..5),
        (header, waiting_on) in (prop::option::of(any_text(30)), prop::option::of(any_text(300))),
        (run, task, url) in (prop::option::of(any_text(200)), prop::option::of(any_text(200)), "(https?://)?\\PC{0,40}"),
        (recommended, hard) in (any::<bool>(), any::<Option<bool>>()),
        (group, subject) in (prop::option::of(any_text(64)), prop::option::of(any_text(3000))),
        steps in prop::collection::vec(any_text(500), 1..20),
        (purpose, multi, secret, due) in (prop::sample::select(&Purpose::ALL), any::<bool>(), any::<bool>(), any::<bool>()),
    ) -> Question {
        let plain = release().question;
        let option = |id: &str, label: &str, detail| {
            QuestionOption { id: OptionId::parse(id).unwrap(), label: label.to_owned(), detail }
        };
        let given: Vec<QuestionOption> = labels.into_iter().enumerate()
            .map(|(place, (label, detail))| option(&(place + 1).to_string(), &label, detail)).collect();
        let options = match purpose.rules().options {
            Options::Given => given,
            Options::None => Vec::new(),
            Options::Fixed(fixed) => fixed.iter().map(|(id, label)| option(id, label, None)).collect(),
        };
        let reversibility = hard.map(|hard| if hard { Reversibility::HardToReverse } else { Reversibility::Reversible });
        let subject = subject.filter(|subject| purpose == Purpose::Approval && !text::is_blank(subject));
        Question {
            text: question_text,
            recommended: options.first().filter(|_| recommended).map(|option| option.id.clone()),
            multi: multi && purpose == Purpose::Question,
            digest: subject.as_ref().map(|subject| digest(subject.as_bytes())),
            steps: if purpose == Purpose::Action { steps } else { Vec::new() },
            secret: secret && matches!(purpose, Purpose::Question | Purpose::Clarification),
            deadline: due.then(|| plain.asked_at.plus_millis(3_600_000)),
            default: options.last().filter(|_| due && purpose.rules().may_default).map(|option| option.id.clone()),
            options, header, waiting_on, reversibility, purpose, group, subject,
            issue: Some(Issue { tracker: url.clone(), key: url.clone(), url }),
            source: pager_questions::Source { run, task, ..plain.source.clone() },
            ..plain
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn whatever_was_asked_the_message_is_valid_and_nothing_is_lost(question_asked in any_question()) {
        let record = Record::asked(question_asked);
        let message = question(&record, ChatKind::Forum, &zone());
        check(&message);
        let flat = question(&record, ChatKind::Flat, &zone());
        check(&flat);
        prop_assert_eq!(&flat.documents, &message.documents);
        let by_command = if record.question.purpose.rules().takes_words { "/answer 9f3c2a and your words" } else { "/decline 9f3c2a" };
        prop_assert!(flat.text.ends_with(by_command));
        let of_question = message.documents.iter().find(|document| document.name.starts_with("question-"));
        let whole = match of_question {
            Some(document) => String::from_utf8(document.bytes.clone()).unwrap(),
            None => message.text.clone(),
        };
        prop_assert!(whole.contains(&text::reveal(record.question.text.trim())));
        for option in record.question.options.iter().filter(|_| !is_fixed(&record.question)) {
            prop_assert!(whole.contains(&text::reveal(&text::one_line(&option.label))));
        }
        for step in &record.question.steps {
            prop_assert!(whole.contains(&text::reveal(step.trim())));
        }
        if let Some(subject) = &record.question.subject {
            approvals::check_subject(&message, subject);
        }
        prop_assert!(topic_name_with_sign(&record).chars().count() <= 128);
    }

    #[test]
    fn whatever_was_answered_the_end_is_whole(question_asked in any_question(), words in any_text(1000), agents in any::<bool>()) {
        let record = Record::asked(question_asked);
        let record = if agents { withdrawn(&record, Some(&words)) } else { settled(&record, own_words_or_decline(&record, &words)) };
        let message = ended(&record, &zone());
        check(&message);
        prop_assert!(message.keyboard.is_empty());
        let shown = message.text.contains(words.trim()) || message.text.contains(text::reveal(&words).trim());
        let is_told = record.answer().is_some_and(|answer| answer.answer.is_some());
        prop_assert!(shown || agents || !is_told);
        prop_assert!(!record.question.secret || agents || message.text.contains("Private answer"));
        let toast = toasts::ended(&record, &zone());
        prop_assert!(toast.encode_utf16().count() <= 200 && !toast.is_empty());
    }
}
