// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/text/sentencetables.h"

#include <QHash>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSet>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Sentences with counts, whose words agree with these.
class TstSentences : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void countsAgreeWithTheirWords_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QJsonObject>("args");
        QTest::addColumn<QString>("beginning");
        QTest::newRow("one ended the job") << u"legacy.kill-all"_s << QJsonObject{{u"number"_s, 1}, {u"instances"_s, 1}}
                                           << u"The job ended when 1 task had completed, with or without failure. Now "
                                              "it succeeds when 1 task has succeeded,"_s;
        QTest::newRow("several did") << u"legacy.kill-all"_s << QJsonObject{{u"number"_s, 5}, {u"instances"_s, 2}}
                                     << u"The job ended when 5 tasks had completed, with or without failure. Now it "
                                        "succeeds when 2 tasks have succeeded,"_s;
        QTest::newRow("one of any role") << u"legacy.kill-all-kept"_s << QJsonObject{{u"number"_s, 1}}
                                         << u"The job ends when 1 task of any role has completed."_s;
        QTest::newRow("several of any role") << u"legacy.kill-all-kept"_s << QJsonObject{{u"number"_s, 3}}
                                             << u"The job ends when 3 tasks of any role have completed."_s;
    }
    void countsAgreeWithTheirWords()
    {
        QFETCH(QString, code);
        QFETCH(QJsonObject, args);
        QFETCH(QString, beginning);
        const QString found = sentence(code, args);
        QVERIFY2(found.startsWith(beginning), qPrintable(found));
    }

    // What names a command of the shell has words of its own in the window, with the same facts.
    void commandsCanBeCopied()
    {
        const QString plain = sentence(u"work.copied-anywhere"_s, {{u"folder"_s, u"/home/ann/code"_s}});
        QVERIFY2(plain.contains("The folder /home/ann/code is"_L1), qPrintable(plain));
        QVERIFY2(plain.contains("'trainyardctl code /home/ann/code' lists"_L1), qPrintable(plain));
        const QString odd = sentence(u"work.copied-anywhere"_s, {{u"folder"_s, u"/tmp/my pröj $x"_s}});
        QVERIFY2(odd.contains(u"The folder /tmp/my pröj $x is"_s), qPrintable(odd));
        QVERIFY2(odd.contains(u"trainyardctl code '/tmp/my pröj $x'"_s), qPrintable(odd));
    }

    // They come with every job for a cluster, and must not hide what is said of one job.
    void usualNotesAreShort()
    {
        const QString images
            = sentence(u"slurm.image-unused"_s, {{u"target"_s, u"slurm:lab"_s}, {u"name"_s, u"lab"_s}});
        QVERIFY2(images.size() <= 125 && images.contains(u"slurmImages.lab apptainer"_s), qPrintable(images));
        const QString copied
            = sentence(u"work.copied"_s, {{u"folder"_s, u"/home/ann/code"_s}, {u"host"_s, u"login"_s}});
        QVERIFY2(
            copied.size() <= 125 && copied.contains(u"is copied to login unless it is shared"_s), qPrintable(copied));
    }

    void sentencesOfTheWindow()
    {
        const QRegularExpression placeholder(u"\\{(\\w+)"_s);
        const auto placeholders = [&placeholder](const QString &text) {
            QSet<QString> names;
            for (auto it = placeholder.globalMatch(text); it.hasNext();) {
                names.insert(it.next().captured(1));
            }
            return names;
        };
        QHash<QString, QString> texts;
        for (const auto &table : sentences::tables()) {
            for (const SentenceRow &row : table) {
                texts.insert(QString::fromLatin1(row.code), QString::fromLatin1(row.text));
            }
        }
        int count = 0;
        for (const SentenceRow &row : sentences::window()) {
            const QString code = QString::fromLatin1(row.code);
            QVERIFY2(code.endsWith(".window"_L1) && texts.contains(code.chopped(7)), row.code);
            const QString text = QString::fromLatin1(row.text), other = texts.value(code.chopped(7));
            QVERIFY2(!text.contains("trainyardctl"_L1) && other.contains("trainyardctl"_L1), row.code);
            QVERIFY2(placeholders(other).contains(placeholders(text)), row.code);
            ++count;
        }
        QVERIFY(count > 0);
        const QJsonObject args{{u"host"_s, u"h1"_s}};
        QVERIFY(sentence(u"wait.drained"_s, args).contains("'trainyardctl hosts drain h1 --off'"_L1));
        const auto back = qScopeGuard([] { useWindowSentences(false); });
        useWindowSentences();
        QCOMPARE(sentence(u"wait.drained"_s, args),
            u"Waits for h1, which is drained: nothing new starts there. Open it again on the page Hosts."_s);
        QCOMPARE(sentence(u"refuse.host"_s, args), u"There is no host h1."_s); // which has one form
    }
};

TRAINYARD_TEST(TstSentences)
#include "tst_sentences.moc"
