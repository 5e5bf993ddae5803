// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/text/environmenttexts.h"
#include "widgets/text/sentences.h"
#include "widgets/text/sentencetables.h"
#include "widgets/text/texts.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

QString sourceFolder() { return qEnvironmentVariable("TRAINYARD_SOURCE"); }

QString read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

// Each code of the model and the engine has one sentence.
class TstSentenceCodes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCodeHasASentence();
    void everyCodeOfTheEngineHasASentence();
    void everyFindingIsInTheManual();
    void shortFormsAreShorter();
    void noCodeTwice();
    void unknownCode();
};

// What the model can say must be sayable. Codes are dotted words in its sources.
void TstSentenceCodes::everyCodeHasASentence()
{
    QVERIFY2(!sourceFolder().isEmpty(), "TRAINYARD_SOURCE has to name the folder of the sources, as ctest does it.");
    static const QRegularExpression code(
        // Fields of a job and the name of a file are none.
        u"u?\"(?!extras\\.trainyard\\.|extras\\.storages\"|job\\.sh\")"
        u"((?:job|name|field|prerequisite|role|deployment|extras|plugin|secrets|"
        u"scalar|parameter|template|fix|yaml|edit|rename|"
        u"require|secret|mask|path|exitrules|fieldreference|legacy|export)\\.[a-z0-9.-]+)\""_s);
    QSet<QString> codes;
    QDirIterator files(sourceFolder() + u"/model"_s, {u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        auto matches = code.globalMatch(read(files.next()));
        while (matches.hasNext()) {
            codes.insert(matches.next().captured(1));
        }
    }
    QVERIFY(!codes.isEmpty());
    QStringList missing;
    for (const QString &each : std::as_const(codes)) {
        if (!hasSentence(each)) {
            missing.append(each);
        }
    }
    missing.sort();
    qInfo("%d codes in the model", int(codes.size()));
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
}

// The same for the engine, the agent included: what stands in their sources like a code and is neither a setting, nor
// a request, nor a file, is one. The first words of launch reasons are taken together in a table of their own.
void TstSentenceCodes::everyCodeOfTheEngineHasASentence()
{
    QVERIFY2(!sourceFolder().isEmpty(), "TRAINYARD_SOURCE has to name the folder of the sources, as ctest does it.");
    static const QRegularExpression code(u"\"([a-z]+(?:-[a-z]+)*\\.[a-z0-9]+(?:-[a-z0-9]+)*)\"(_L1)?"_s);
    static const QRegularExpression method(u"Call<\"([a-z.]+)\""_s);
    static const QRegularExpression file(
        u"\\.(?:log|idx|tail|json|lock|sh|py|db|error|sock|conf|csv|txt|series|files)\\z"_s);
    const QString settings = read(sourceFolder() + u"/resources/settings.json"_s);
    QMap<QString, QString> codes; // and a file that has it
    QSet<QString> others{u"launch.unseen"_s}; // an answer of the agent for which the engine puts others
    QDirIterator files(
        sourceFolder() + u"/engine"_s, {u"*.cpp"_s, u"*.h"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString name = files.next();
        if (name.contains(u"/engine/metrics/"_s) || name.endsWith(u"/why/loggedjson.cpp"_s)) {
            continue; // they say nothing themselves: what has a dot there are words of programs
        }
        const QString text = read(name);
        auto requests = method.globalMatch(text);
        while (requests.hasNext()) {
            others.insert(requests.next().captured(1));
        }
        auto matches = code.globalMatch(text);
        while (matches.hasNext()) {
            const auto match = matches.next();
            const QString each = match.captured(1);
            const bool isPrefix = !match.captured(2).isEmpty() && each.startsWith(u"launch."_s)
                && name.endsWith(u"/exitclassifier.cpp"_s);
            const bool isSetting = settings.contains(QString(u'"' + each + u'"'));
            if (!isPrefix && !isSetting && !file.match(each).hasMatch()) {
                codes.insert(each, name);
            }
        }
    }
    QVERIFY(!codes.isEmpty());
    QStringList missing;
    for (auto it = codes.cbegin(); it != codes.cend(); ++it) {
        const bool isGap = environmentGapText(it.key()) != it.key();
        if (!others.contains(it.key()) && !isGap && !hasSentence(it.key())) {
            missing.append(it.key() + u" in "_s + it.value());
        }
    }
    qInfo("%d codes in the engine", int(codes.size() - others.size()));
    QVERIFY(codes.size() > 100);
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
}

// docs/findings.md lists all that the checks say; a new code needs a line there.
void TstSentenceCodes::everyFindingIsInTheManual()
{
    QVERIFY2(!sourceFolder().isEmpty(), "TRAINYARD_SOURCE has to name the folder of the sources, as ctest does it.");
    const QString page = read(sourceFolder() + u"/docs/findings.md"_s);
    QVERIFY(!page.isEmpty());
    QStringList missing;
    for (const auto &table :
        {sentences::yaml(), sentences::job(), sentences::portability(), sentences::legacy(), sentences::batch()}) {
        for (const SentenceRow &row : table) {
            const QString code = QString::fromLatin1(row.code);
            if (!page.contains(u'`' + code + u'`')) {
                missing.append(code);
            }
        }
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
}

// What is said of a place at that place is shorter than elsewhere, and knows nothing that the whole sentence does not.
void TstSentenceCodes::shortFormsAreShorter()
{
    static const QRegularExpression placeholder(u"\\{([a-z][A-Za-z]*)(?:\\|[^}]*)?\\}"_s);
    QHash<QString, QString> whole;
    for (const auto &table : sentences::tables()) {
        for (const SentenceRow &row : table) {
            whole.insert(QString::fromLatin1(row.code), QString::fromUtf8(row.text));
        }
    }
    const auto argumentsOf = [](const QString &text) {
        QSet<QString> names;
        auto matches = placeholder.globalMatch(text);
        while (matches.hasNext()) {
            names.insert(matches.next().captured(1));
        }
        return names;
    };
    QVERIFY(!sentences::shortForms().empty());
    for (const SentenceRow &row : sentences::shortForms()) {
        const QString code = QString::fromLatin1(row.code);
        const QString text = QString::fromUtf8(row.text);
        QVERIFY2(code.endsWith(u".short"_s), qPrintable(code));
        const QString base = code.chopped(6);
        QVERIFY2(whole.contains(base), qPrintable(code));
        QVERIFY2(text.size() < whole.value(base).size(), qPrintable(code));
        QVERIFY2(text.endsWith(u'.') || text.endsWith(u'?'), qPrintable(code));
        QVERIFY2(argumentsOf(whole.value(base)).contains(argumentsOf(text)), qPrintable(code));
    }
    Diagnostic diagnostic;
    diagnostic.code = u"role.image.undefined"_s;
    diagnostic.args = {{u"name"_s, u"tf_exmple"_s}, {u"role"_s, u"worker"_s}};
    QCOMPARE(diagnosticBrief(diagnostic), u"No image 'tf_exmple' here."_s);
    QVERIFY(diagnosticText(diagnostic).contains(u"worker"_s));
    diagnostic.code = u"role.gpu.more-than-any-host"_s;
    diagnostic.args = {{u"role"_s, u"worker"_s}, {u"wanted"_s, 2}, {u"most"_s, 1}};
    QCOMPARE(diagnosticBrief(diagnostic), u"One host has 1 GPU at most; the job cannot start."_s);
    // Without a short form it is the whole one.
    diagnostic.code = u"job.no-roles"_s;
    diagnostic.args = {};
    QCOMPARE(diagnosticBrief(diagnostic), diagnosticText(diagnostic));
}

void TstSentenceCodes::noCodeTwice()
{
    QSet<QString> seen;
    for (const auto &table : sentences::tables()) {
        for (const SentenceRow &row : table) {
            const QString code = QString::fromLatin1(row.code);
            QVERIFY2(!seen.contains(code), qPrintable(code));
            seen.insert(code);
        }
    }
}

void TstSentenceCodes::unknownCode()
{
    QVERIFY(sentence(u"no.such-code"_s).contains(u"no.such-code"_s));
    QCOMPARE(reasonText(QString()), QString());
    QVERIFY(!reasonText(u"x.y"_s).isEmpty());
}

TRAINYARD_TEST(TstSentenceCodes)
#include "tst_sentencecodes.moc"
