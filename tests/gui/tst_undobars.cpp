// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/undobars.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"

#include <QMouseEvent>
#include <QPushButton>
#include <QTest>
#include <QVBoxLayout>

using namespace trainyard;

// The bars with what was done with jobs and can be undone.
class TstUndoBars : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // When the latest act is undone, the button of the one before comes to the place of its button.
    void aDoubleClickUndoesOneAct()
    {
        InfoBar ofWindow;
        QWidget list;
        auto *layout = new QVBoxLayout(&list);
        auto *bar = new InfoBar;
        layout->addWidget(bar);
        list.resize(600, 100);
        list.show();
        UndoBars bars(&ofWindow, nullptr);
        bars.follow(bar, &list);
        QStringList undone;
        for (const QString &name : {QStringLiteral("first"), QStringLiteral("second")}) {
            bars.put({name, name, [&undone, name] { undone.append(name); }, name});
        }
        const auto button = [bar](const char *name) { return bar->findChild<QPushButton *>(QLatin1String(name)); };
        QTRY_VERIFY(button("second") && button("second")->isVisible());
        QTest::mouseClick(button("second"), Qt::LeftButton);
        QCOMPARE(undone, QStringList{QStringLiteral("second")});
        QTRY_VERIFY(button("first") && button("first")->isVisible());
        const QPoint at = button("first")->rect().center();
        QMouseEvent again(QEvent::MouseButtonDblClick, at, button("first")->mapToGlobal(at), Qt::LeftButton,
            Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(button("first"), &again);
        QTest::mouseRelease(button("first"), Qt::LeftButton);
        QCOMPARE(undone, QStringList{QStringLiteral("second")});
        QTest::mouseClick(button("first"), Qt::LeftButton);
        QCOMPARE(undone, (QStringList{QStringLiteral("second"), QStringLiteral("first")}));
        QTRY_VERIFY(bar->isHidden());
    }
};

TRAINYARD_GUI_TEST(TstUndoBars)
#include "tst_undobars.moc"
