// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/tablejobs.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/tokens.h"
#include "widgets/jobs/filtercompletion.h"
#include "widgets/jobs/filterfield.h"
#include "widgets/jobs/jobstablepage.h"
#include "widgets/text/texts.h"

#include <QApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace std::chrono_literals;
using namespace tablejobs;

// The field that filters jobs: what it offers, and what it says of a wrong filter.
class TstFilterField : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void completions_data();
    void completions();
    void conditionsAreSwitched();
    void fieldSaysWhatIsWrong();
    void wrongFilterIsNotOneThatMatchesNothing();
};

void TstFilterField::completions_data()
{
    QTest::addColumn<int>("from");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("sta") << 0
                         << QStringList{u"state:"_s, u"state:waiting"_s, u"state:running"_s, u"state:stopping"_s,
                                u"state:succeeded"_s, u"state:failed"_s, u"state:stopped"_s, u"state:unknown"_s,
                                u"state:active"_s, u"state:ended"_s, u"state:paused"_s, u"is:starred"_s};
    QTest::newRow("fail") << 0 << QStringList{u"failed"_s, u"state:failed"_s};
    QTest::newRow("x state:fa") << 8 << QStringList{u"failed"_s};
    QTest::newRow("-state:failed,st") << 14 << QStringList{u"stopping"_s, u"stopped"_s};
    QTest::newRow("tag:") << 4 << QStringList{u"baseline"_s, u"\"lr study\""_s};
    QTest::newRow("tag:lr") << 4 << QStringList{u"\"lr study\""_s};
    QTest::newRow("tag:\"lr s") << 4 << QStringList{u"\"lr study\""_s};
    QTest::newRow("ba") << 0 << QStringList{u"batch"_s, u"tag:baseline"_s};
    QTest::newRow("cause:g") << 6 << QStringList{u"gpu-oom"_s};
    QTest::newRow("gpu-") << 0 << QStringList{u"cause:gpu-oom"_s};
    QTest::newRow("min:va") << 4 << QStringList{u"\"val loss\""_s};
    QTest::newRow("is:starred") << 3 << QStringList();
    QTest::newRow("lr>0.1 ") << 7 << QStringList();
    QTest::newRow("zzz") << 0 << QStringList();
}

void TstFilterField::completions()
{
    FilterWords known;
    known.tags = {u"baseline"_s, u"lr study"_s};
    known.parameters = {u"batch"_s};
    known.results = {u"val loss"_s};
    known.causes = {u"KeyError"_s, u"gpu-oom"_s};
    const QString text = QString::fromUtf8(QTest::currentDataTag());
    const FilterCompletion found = filterCompletion(text, text.size(), known);
    QTEST(int(found.from), "from");
    QTEST(found.words, "words");
}

void TstFilterField::conditionsAreSwitched()
{
    QCOMPARE(withCondition(u"lr>1"_s, u"is:starred"_s, true), u"is:starred lr>1"_s);
    QCOMPARE(withCondition(u"is:starred lr>1"_s, u"is:starred"_s, true), u"is:starred lr>1"_s);
    QCOMPARE(withCondition(u"IS:starred lr>1"_s, u"is:starred"_s, false), u"lr>1"_s);
    QVERIFY(!hasCondition(u"-is:starred"_s, u"is:starred"_s));
}

void TstFilterField::fieldSaysWhatIsWrong()
{
    FilterField field(u"Filter"_s);
    field.setWords([] { return FilterWords{{u"baseline"_s}, {}, {}, {}, {}, {}}; });
    field.show();
    QVERIFY(QTest::qWaitForWindowActive(&field));
    field.field()->setFocus();
    QSignalSpy changes(&field, &FilterField::filterChanged);
    QTest::keyClicks(field.field(), u"state:fai"_s);
    QCOMPARE(field.errorText(), QString()); // it is being typed
    QTest::keyClicks(field.field(), u"x "_s);
    QVERIFY2(field.errorText().contains(u"There is no state 'faix'."_s), qPrintable(field.errorText()));
    QVERIFY(field.filter().isEmpty()); // what stands before it holds
    field.field()->clear();
    QTest::keyClicks(field.field(), u"lr>1 sta"_s);
    QCOMPARE(field.filter().terms().size(), 1); // it may become a key
    QTest::keyClicks(field.field(), u"r"_s);
    QCOMPARE(field.filter().terms().size(), 2);
    field.field()->clear();
    QCOMPARE(field.errorText(), QString());
    changes.clear();
    field.setText(u"state:failed"_s);
    QCOMPARE(changes.count(), 1);
    QCOMPARE(field.filter().terms().size(), 1);
    field.setText(u"state:failed tag:"_s);
    QCOMPARE(field.filter().terms().size(), 1); // what was right holds
    QCOMPARE(field.errorText(), QString());
    field.field()->clearFocus();
    QVERIFY(field.errorText().contains(u"Nothing follows 'tag'."_s));

    // The list of candidates is chosen from by keys.
    field.field()->setFocus();
    field.field()->clear();
    QTest::keyClicks(field.field(), u"lr>1 tag:ba"_s);
    const QSignalSpy opened(&field, &FilterField::firstRequested);
    QWidget *popup = nullptr;
    QTRY_VERIFY((popup = QApplication::activePopupWidget()));
    QTest::keyClick(popup, Qt::Key_Down);
    QTest::keyClick(popup, Qt::Key_Return);
    QCOMPARE(field.text(), u"lr>1 tag:baseline "_s);
    QCOMPARE(opened.count(), 0); // of what stands before it
    QTest::keyClick(field.field(), Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
}

// The sentence at the field says enough.
void TstFilterField::wrongFilterIsNotOneThatMatchesNothing()
{
    JobsTablePage page;
    page.resize(1000, 400);
    page.show();
    page.model()->add({tableJob(1), tableJob(2)});
    const auto says = [&page] {
        const auto labels = page.findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(),
            [](const QLabel *label) { return label->isVisible() && label->text().contains(u"No job matches"); });
    };
    page.filter()->setText(u"nosuchword"_s);
    QCOMPARE(page.model()->rowCount(), 0);
    QVERIFY(says());
    page.filter()->setText(u"nosuchword state:faix"_s);
    QVERIFY(!page.filter()->errorText().isEmpty());
    QCOMPARE(page.model()->rowCount(), 0);
    QVERIFY(!says());
    page.filter()->setText(u"nosuchword state:failed"_s);
    QVERIFY(says());
}

TRAINYARD_GUI_TEST(TstFilterField)
#include "tst_filterfield.moc"
