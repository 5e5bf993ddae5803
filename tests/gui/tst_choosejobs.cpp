// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/choosejobs.h"
#include "tests/helpers/testregistry.h"
#include "widgets/jobs/filterfield.h"

#include <QListWidget>
#include <QTest>

#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The dialog that asks which runs are compared.
class TstChooseJobs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void filter_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<int>>("shown");
        QTest::newRow("nothing") << QString() << QList<int>{0, 1, 2};
        QTest::newRow("word of the name") << u"VIT"_s << QList<int>{2};
        QTest::newRow("word of the group") << u"sweep"_s << QList<int>{1};
        QTest::newRow("word of a parameter") << u"cosine"_s << QList<int>{0};
        QTest::newRow("comparison") << u"lr<=0.1"_s << QList<int>{1, 2};
        QTest::newRow("state") << u"state:failed"_s << QList<int>{2};
        QTest::newRow("all of several") << u"net lr<=0.1"_s << QList<int>{1};
    }
    void filter()
    {
        QFETCH(QString, text);
        QFETCH(QList<int>, shown);
        QList<JobSummary> jobs(3);
        for (int i = 0; i < jobs.size(); ++i) {
            jobs[i].id = i + 1;
            jobs[i].uuid = u"uuid-%1"_s.arg(i);
            jobs[i].name = i == 2 ? u"vit"_s : u"net"_s;
            jobs[i].state = i == 2 ? State::Failed : State::Succeeded;
            jobs[i].parameters = {{u"lr"_s, i == 0 ? 0.5 : 0.1}, {u"plan"_s, i == 0 ? u"cosine"_s : u"flat"_s}};
        }
        jobs[1].group = u"sweep"_s;
        const auto dialog = std::make_unique<ChooseJobs>(jobs, QStringList(), 2, nullptr);
        dialog->field()->setText(text);
        QCOMPARE(dialog->field()->errorText(), QString());
        QList<int> seen;
        for (int row = 0; row < dialog->list()->count(); ++row) {
            if (!dialog->list()->item(row)->isHidden()) {
                seen.append(row);
            }
        }
        QCOMPARE(seen, shown);
    }
};

TRAINYARD_GUI_TEST(TstChooseJobs)
#include "tst_choosejobs.moc"
