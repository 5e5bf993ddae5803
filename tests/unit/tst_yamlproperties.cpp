// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlscalar.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/yamlsamples.h"

#include <QElapsedTimer>
#include <QTest>

using namespace trainyard;
using namespace yamlsamples;

// For every path of every document: set, remove, rename. What is asked for is there, all else is as before.
class TstYamlProperties : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyPathOfBuiltInDocuments();
    void everyPathOfRealJobs();

private:
    void run(const QList<Sample> &samples, bool exhaustive);
    void place(const YamlDocument &document, const YamlNode *node, bool exhaustive);
    void set(const YamlDocument &document, const YamlNode *node, const YamlPath &path, const QString &text);
    void setBack(const YamlDocument &document, const YamlNode *node, const YamlPath &path, const YamlDocument &after);
    void remove(const YamlDocument &document, const YamlNode *node, const YamlPath &path);
    void rename(const YamlDocument &document, const YamlNode *node, const YamlPath &path);
    // Applies the edits and takes them back; the changed document.
    YamlDocument applied(const YamlDocument &document, const TextEdits &edits);

    Counts m_counts;
};

YamlDocument TstYamlProperties::applied(const YamlDocument &document, const TextEdits &edits)
{
    ++m_counts.edits;
    const QByteArray changed = applyEdits(document.bytes(), edits);
    if (applyEdits(changed, inverse(document.bytes(), edits)) != document.bytes()) {
        QTest::qFail("The edits cannot be taken back.", __FILE__, __LINE__);
    }
    return YamlDocument::parse(changed);
}

void TstYamlProperties::set(
    const YamlDocument &document, const YamlNode *node, const YamlPath &path, const QString &text)
{
    const Result<TextEdits> edits = planEdit(document, edit::SetText{path, text});
    if (!edits) {
        const QString &code = edits.error().code;
        ++m_counts.refused[code];
        // Only what cannot be done in principle may be refused; comments inside of a list would be lost with it.
        QVERIFY2(code == QLatin1String("edit.anchor-in-use") || !node->editable
                || (code == QLatin1String("edit.would-lose-comment") && !node->entries.isEmpty()),
            qPrintable(code + u' ' + path.toPointer() + u' ' + text));
        return;
    }
    const YamlDocument after = applied(document, *edits);
    const YamlNode *now = after.find(path);
    QVERIFY(now);
    QCOMPARE(now->scalar, text.toUtf8());
    QCOMPARE(typedScalar(*now).type, ScalarType::String);
    QCOMPARE(factsBut(after, now), factsBut(document, node));
    QCOMPARE(comments(after), comments(document));
    if (after.bytes() != document.bytes()) {
        const auto [first, last] = changedLines(document.bytes(), after.bytes());
        const std::optional<ByteRange> key = document.keyRange(path);
        const qsizetype begin = key ? std::min(key->begin, node->at.begin) : node->at.begin;
        // What stood below its key or dash comes up to it.
        const qsizetype above = node->entries.isEmpty() ? lineOf(document.bytes(), node->at.begin)
                                                        : std::max<qsizetype>(lineOf(document.bytes(), begin) - 1, 0);
        QVERIFY(first >= above);
        QVERIFY(last <= lineOf(document.bytes(), node->at.end) + 1);
    }
    setBack(document, node, path, after);
}

// Back again by another set: the same bytes where the text has the form that a set would give it.
void TstYamlProperties::setBack(
    const YamlDocument &document, const YamlNode *node, const YamlPath &path, const YamlDocument &after)
{
    const bool isText = node->kind == YamlNode::Kind::Scalar && node->tag.isEmpty()
        && typedScalar(*node).type == ScalarType::String
        && (node->style != YamlNode::Style::Plain || !looksTyped(node->scalar));
    const bool simple = node->style == YamlNode::Style::Plain || node->style == YamlNode::Style::SingleQuoted;
    const bool oneLine = !document.bytes().mid(node->at.begin, node->at.length()).contains('\n');
    if (isText && simple && oneLine && after.find(path)->style == node->style) {
        const Result<TextEdits> back = planEdit(after, edit::SetText{path, QString::fromUtf8(node->scalar)});
        QVERIFY(back);
        QCOMPARE(applyEdits(after.bytes(), *back), document.bytes());
        ++m_counts.restored;
    }
}

void TstYamlProperties::remove(const YamlDocument &document, const YamlNode *node, const YamlPath &path)
{
    const Result<TextEdits> edits = planEdit(document, edit::Remove{path});
    if (!edits) {
        ++m_counts.refused[edits.error().code];
        QVERIFY2(edits.error().code == QLatin1String("edit.anchor-in-use") || !node->editable,
            qPrintable(edits.error().code + u' ' + path.toPointer()));
        return;
    }
    const YamlNode *gone = node;
    while (gone->parent && gone->parent->entries.size() == 1) {
        gone = gone->parent;
    }
    const YamlDocument after = applied(document, *edits);
    if (!gone->parent) {
        QVERIFY(!after.root() || after.root()->isNull());
    } else {
        const QList<QByteArray> before = factsBut(document, gone);
        const QList<QByteArray> behind = factsBut(after, nullptr);
        // The parent has one entry less; everything else is the same.
        QCOMPARE(behind.size(), before.size());
        int different = 0;
        for (qsizetype i = 0; i < before.size(); ++i) {
            different += before.at(i) == behind.at(i) ? 0 : 1;
        }
        QCOMPARE(different, 1);
    }
    QVERIFY(holdsAll(comments(document), comments(after)));
    // Comments outside of the lines that go are all still there.
    const auto [first, last] = changedLines(document.bytes(), after.bytes());
    const QList<QByteArray> lines = document.bytes().split('\n');
    QByteArray removed;
    for (qsizetype i = first; i <= last && i < lines.size(); ++i) {
        removed += lines.at(i) + '\n';
    }
    QMap<QByteArray, int> lost = comments(document);
    const QMap<QByteArray, int> kept = comments(after);
    for (auto it = lost.begin(); it != lost.end(); ++it) {
        QVERIFY(it.value() - kept.value(it.key()) <= int(removed.count(it.key())));
    }
}

void TstYamlProperties::rename(const YamlDocument &document, const YamlNode *node, const YamlPath &path)
{
    const YamlNode *name = node->parent->entries.at(node->position).key;
    for (const QString &key : {QStringLiteral("renamed_key"), QStringLiteral("re: named, #key")}) {
        const Result<TextEdits> edits = planEdit(document, edit::RenameKey{path, key});
        if (!edits) {
            ++m_counts.refused[edits.error().code];
            QVERIFY2(edits.error().code == QLatin1String("edit.anchor-in-use") || !name->editable
                    || name->kind == YamlNode::Kind::Alias,
                qPrintable(edits.error().code));
            continue;
        }
        const YamlDocument after = applied(document, *edits);
        const YamlPath now = path.parent().child(key);
        QVERIFY(after.find(now));
        QVERIFY(!after.find(path));
        QCOMPARE(facts(after.find(now)), facts(node));
        QCOMPARE(factsBut(after, after.find(now)), factsBut(document, node));
        QCOMPARE(comments(after), comments(document));
        QCOMPARE(edits->size(), 1);
        const Result<TextEdits> back = planEdit(after, edit::RenameKey{now, QString::fromUtf8(name->scalar)});
        QVERIFY(back);
        const QByteArray again = applyEdits(after.bytes(), *back);
        const YamlDocument restored = YamlDocument::parse(again);
        QCOMPARE(factsBut(restored, nullptr).size(), factsBut(document, nullptr).size());
        m_counts.restored += again == document.bytes() ? 1 : 0;
    }
}

void TstYamlProperties::place(const YamlDocument &document, const YamlNode *node, bool exhaustive)
{
    const YamlPath path = document.pathOf(node);
    ++m_counts.places;
    // All of it takes minutes with sanitizers on: real jobs get a part each, in turn, unless everything is asked for.
    const auto turn = [&](int of, int which) { return exhaustive || m_counts.places % of == which; };
    const QList<QString> texts{QStringLiteral("plain"), QStringLiteral("it's: \"needs\" #quotes, {x} [y]?"),
        QStringLiteral("first line\n  second: 'line'\n\n# third"), QString::fromUtf8(node->scalar)};
    for (qsizetype i = 0; i < texts.size(); ++i) {
        if (turn(16, int(i))) {
            set(document, node, path, texts.at(i));
        }
    }
    if (turn(16, 5)) {
        remove(document, node, path);
    }
    if (turn(16, 7) && std::holds_alternative<QString>(path.last())) {
        rename(document, node, path);
    }
}

void TstYamlProperties::run(const QList<Sample> &samples, bool exhaustive)
{
    m_counts = {};
    QElapsedTimer timer;
    timer.start();
    for (const Sample &sample : samples) {
        const YamlDocument document = YamlDocument::parse(sample.bytes);
        if (!document.isComplete() || !document.root()) {
            QVERIFY(!planEdit(document, edit::SetText{{QStringLiteral("a")}, QStringLiteral("x")}));
            continue;
        }
        ++m_counts.documents;
        const QList<const YamlNode *> all = places(document);
        for (const YamlNode *node : all) {
            place(document, node, exhaustive);
            if (QTest::currentTestFailed()) {
                qWarning("%s in %s", qPrintable(document.pathOf(node).toPointer()), qPrintable(sample.name));
                return;
            }
        }
    }
    qInfo("%s; %lld ms", qPrintable(m_counts.text()), static_cast<long long>(timer.elapsed()));
}

void TstYamlProperties::everyPathOfBuiltInDocuments()
{
    run(builtIn(), true);
    QVERIFY(m_counts.documents >= 12);
    QVERIFY(m_counts.edits > 700);
}

void TstYamlProperties::everyPathOfRealJobs() { run(realJobs(), isFullForm()); }

TRAINYARD_TEST(TstYamlProperties)
#include "tst_yamlproperties.moc"
