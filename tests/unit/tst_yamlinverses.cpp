// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/plugins.h"
#include "model/protocol/rename.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/yamlsamples.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>

using namespace trainyard;
using namespace yamlsamples;

// For every path of every document: insert, move, duplicate, rename with all references. Each does what it says and
// leaves all else, and the operation that takes it back restores the document: its values always, its bytes wherever no
// comment has come to stand beside another entry.
class TstYamlInverses : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyPathOfBuiltInDocuments();
    void everyPathOfRealJobs();

private:
    void run(const QList<Sample> &samples, bool exhaustive);
    void insert(const YamlDocument &document, const YamlNode *collection, qsizetype index);
    void move(const YamlDocument &document, const YamlNode *node, qsizetype to);
    void duplicate(const YamlDocument &document, const YamlNode *node);
    void rename(const YamlDocument &document, const YamlNode *node);
    // Plans, applies, checks what holds for every operation here, and undoes it with `back`. The changed document, or
    // one without a root when it was refused.
    YamlDocument there(const YamlDocument &document, const QList<edit::Op> &ops, bool mayRefuse);
    void back(const YamlDocument &document, const YamlDocument &after, const QList<edit::Op> &ops);

    Counts m_counts;
    int m_inverses = 0;
};

namespace
{

bool inFlow(const YamlNode *node)
{
    for (; node; node = node->parent) {
        if (node->style == YamlNode::Style::Flow) {
            return true;
        }
    }
    return false;
}

QList<QByteArray> sorted(QList<QByteArray> list)
{
    std::sort(list.begin(), list.end());
    return list;
}

bool hasAnchors(const YamlNode *node)
{
    return (node->kind != YamlNode::Kind::Alias && !node->anchor.isEmpty())
        || std::any_of(node->entries.cbegin(), node->entries.cend(),
            [](const YamlNode::Entry &entry) { return hasAnchors(entry.value); });
}

bool hasAliases(const YamlNode *node)
{
    return node->kind == YamlNode::Kind::Alias
        || std::any_of(node->entries.cbegin(), node->entries.cend(),
            [](const YamlNode::Entry &entry) { return hasAliases(entry.value); });
}

} // namespace

YamlDocument TstYamlInverses::there(const YamlDocument &document, const QList<edit::Op> &ops, bool mayRefuse)
{
    const Result<TextEdits> edits = planEdits(document, ops);
    if (!edits) {
        ++m_counts.refused[edits.error().code];
        if (!mayRefuse && edits.error().code != QLatin1String("edit.anchor-in-use")) {
            QTest::qFail(qPrintable(edits.error().code), __FILE__, __LINE__);
        }
        return {};
    }
    ++m_counts.edits;
    const QByteArray changed = applyEdits(document.bytes(), *edits);
    if (applyEdits(changed, inverse(document.bytes(), *edits)) != document.bytes()) {
        QTest::qFail("The edits cannot be taken back.", __FILE__, __LINE__);
    }
    const YamlDocument after = YamlDocument::parse(changed);
    if (!holdsAll(comments(after), comments(document))) {
        QTest::qFail("A comment is lost.", __FILE__, __LINE__);
    }
    return after;
}

void TstYamlInverses::back(const YamlDocument &document, const YamlDocument &after, const QList<edit::Op> &ops)
{
    const Result<TextEdits> edits = planEdits(after, ops);
    QVERIFY2(edits, edits ? "" : qPrintable(edits.error().code + u'\n' + QString::fromUtf8(after.bytes())));
    const QByteArray bytes = applyEdits(after.bytes(), *edits);
    QCOMPARE(factsBut(YamlDocument::parse(bytes), nullptr), factsBut(document, nullptr));
    ++m_inverses;
    m_counts.restored += bytes == document.bytes() ? 1 : 0;
    if (bytes != document.bytes() && qEnvironmentVariableIsSet("TRAINYARD_TEST_VERBOSE")) {
        const auto [first, last] = changedLines(document.bytes(), bytes);
        qInfo("operation %d, path %s: not the same bytes at lines %d to %d", int(ops.first().index()),
            qPrintable(std::visit([](const auto &each) { return each.path; }, ops.first()).toPointer()), int(first),
            int(last));
    }
}

void TstYamlInverses::insert(const YamlDocument &document, const YamlNode *collection, qsizetype index)
{
    const YamlPath path = document.pathOf(collection);
    const bool map = collection->isMap();
    const YamlPath place = map ? path.child(QStringLiteral("zz_new")) : path.child(index);
    const bool pair = map && collection->style == YamlNode::Style::Flow && collection->parent
        && collection->parent->isSequence() && collection->entries.size() == 1;
    const YamlDocument after = there(document, {edit::Insert{place, "{k: v}"}}, !collection->editable || pair);
    if (!after.root()) {
        return;
    }
    const YamlNode *now = after.find(place);
    QVERIFY(now && now->isMap() && now->entries.size() == 1);
    QCOMPARE(comments(after), comments(document));
    const QList<QByteArray> before = factsBut(document, nullptr);
    const QList<QByteArray> behind = factsBut(after, now);
    QCOMPARE(behind.size(), before.size());
    int different = 0;
    for (qsizetype i = 0; i < before.size(); ++i) {
        different += before.at(i) == behind.at(i) ? 0 : 1;
    }
    QCOMPARE(different, 1); // the collection has one entry more
    if (!inFlow(collection)) {
        QVERIFY(after.bytes().size() > document.bytes().size());
        const auto [first, last] = changedLines(document.bytes(), after.bytes());
        QVERIFY(last <= first); // lines are put in between; at most the one behind another dash is broken in two
    }
    back(document, after, {edit::Remove{place}});
}

void TstYamlInverses::move(const YamlDocument &document, const YamlNode *node, qsizetype to)
{
    const YamlPath path = document.pathOf(node);
    const YamlNode *parent = node->parent;
    const bool locked = std::any_of(parent->entries.cbegin(), parent->entries.cend(),
        [](const YamlNode::Entry &entry) { return !entry.value->editable || (entry.key && !entry.key->editable); });
    // An alias may not come before its anchor.
    const bool mayRefuse = locked || !parent->editable || inFlow(parent) || hasAliases(parent);
    const YamlDocument after = there(document, {edit::Move{path, to}}, mayRefuse);
    if (!after.root()) {
        return;
    }
    QCOMPARE(sorted(factsBut(after, nullptr)), sorted(factsBut(document, nullptr)));
    QCOMPARE(comments(after), comments(document));
    const YamlPath now = parent->isSequence() ? path.parent().child(to) : path;
    QVERIFY(after.find(now));
    QCOMPARE(after.find(now)->position, to);
    QCOMPARE(facts(after.find(now)), facts(node));
    back(document, after, {edit::Move{now, node->position}});
}

void TstYamlInverses::duplicate(const YamlDocument &document, const YamlNode *node)
{
    const YamlPath path = document.pathOf(node);
    const YamlNode *parent = node->parent;
    const bool list = parent->isSequence();
    const YamlNode *key = list ? nullptr : parent->entries.at(node->position).key;
    const bool pair = !list && inFlow(parent) && parent->parent && parent->parent->isSequence();
    const bool mayRefuse = !node->editable || !parent->editable || (key && !key->editable) || pair;
    const YamlDocument after
        = there(document, {edit::Duplicate{path, QStringLiteral("zz_copy")}}, mayRefuse || inFlow(parent));
    if (!after.root()) {
        return;
    }
    const YamlPath copy
        = list ? path.parent().child(node->position + 1) : path.parent().child(QStringLiteral("zz_copy"));
    const YamlNode *now = after.find(copy);
    QVERIFY(now);
    QCOMPARE(now->position, node->position + 1);
    if (!hasAnchors(node)) {
        QCOMPARE(facts(now), facts(node));
    }
    QVERIFY(holdsAll(comments(after), comments(document)));
    back(document, after, {edit::Remove{copy}});
}

void TstYamlInverses::rename(const YamlDocument &document, const YamlNode *node)
{
    const YamlPath path = document.pathOf(node);
    const NameKind kind = nameKindAt(document, path);
    if (kind == NameKind::None || kind == NameKind::Other) {
        return;
    }
    const QString old = nameAt(document, path);
    const QString fresh = QStringLiteral("zz9q");
    const Result<RenamePlan> plan = planRename(document, path, fresh);
    QVERIFY2(plan, plan ? "" : qPrintable(plan.error().code));
    const YamlNode *key = node->parent->isMap() ? node->parent->entries.at(node->position).key : node;
    const YamlDocument after = there(document, plan->ops, !node->editable || !key->editable);
    if (!after.root()) {
        return;
    }
    QCOMPARE(comments(after), comments(document));
    QCOMPARE(factsBut(after, nullptr).size(), factsBut(document, nullptr).size());
    const bool item = kind == NameKind::Prerequisite || kind == NameKind::Deployment;
    const YamlPath now = item ? path : path.parent().child(fresh);
    QCOMPARE(nameAt(after, now), fresh);
    const Result<RenamePlan> restoring = planRename(after, now, old);
    if (!restoring) {
        ++m_counts.refused[restoring.error().code]; // what stood there was no name that may be given
        return;
    }
    QCOMPARE(restoring->references.size(), plan->references.size());
    if (kind == NameKind::Role && !isPortableRoleName(old)) {
        return; // in variables such a name has two spellings, and both have become one
    }
    back(document, after, restoring->ops);
}

void TstYamlInverses::run(const QList<Sample> &samples, bool exhaustive)
{
    m_counts = {};
    m_inverses = 0;
    QElapsedTimer timer;
    timer.start();
    int turn = 0;
    const auto isTurn = [&](int of) { return exhaustive || ++turn % of == 0; };
    for (const Sample &sample : samples) {
        const YamlDocument document = YamlDocument::parse(sample.bytes);
        if (!document.isComplete() || !document.root()) {
            continue;
        }
        ++m_counts.documents;
        QList<const YamlNode *> all = places(document);
        if (!document.root()->entries.isEmpty()) {
            insert(document, document.root(), 0);
        }
        for (const YamlNode *node : std::as_const(all)) {
            ++m_counts.places;
            if (!node->entries.isEmpty() && isTurn(6)) {
                for (const qsizetype index : {qsizetype(0), node->entries.size() / 2, node->entries.size()}) {
                    insert(document, node, index);
                    if (node->isMap()) {
                        break;
                    }
                }
            }
            const qsizetype count = node->parent->entries.size();
            if (count > 1 && isTurn(13)) {
                move(document, node, (node->position + 1) % count);
                move(document, node, node->position == 0 ? count - 1 : 0);
            }
            if (isTurn(17)) {
                duplicate(document, node);
            }
            if (isTurn(5)) {
                rename(document, node);
            }
            if (QTest::currentTestFailed()) {
                qWarning("%s in %s", qPrintable(document.pathOf(node).toPointer()), qPrintable(sample.name));
                return;
            }
        }
    }
    qInfo("%s of %d taken back; %lld ms", qPrintable(m_counts.text()), m_inverses,
        static_cast<long long>(timer.elapsed()));
}

void TstYamlInverses::everyPathOfBuiltInDocuments()
{
    run(builtIn(), true);
    QVERIFY(m_counts.edits > 200);
    QVERIFY(m_counts.restored * 100 > m_inverses * 90);
}

void TstYamlInverses::everyPathOfRealJobs()
{
    run(realJobs(), isFullForm());
    QVERIFY(m_counts.restored * 100 >= m_inverses * 98);
}

TRAINYARD_TEST(TstYamlInverses)
#include "tst_yamlinverses.moc"
